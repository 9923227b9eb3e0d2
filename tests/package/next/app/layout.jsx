/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
export default function Layout({ children }) {
    return (
        <html lang="en">
            <body>{children}</body>
        </html>
    );
}
