import { Mutex } from 'holdfast';

export const mutex = new Mutex();
