/** Directives by name, as in core's `wp_robots`: `{ noindex: true, 'max-image-preview': 'large' }`. */
export type Robots = Readonly<Record<string, boolean | string>>
