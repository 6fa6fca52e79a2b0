/** Directives by name, as in the filter `wp_robots`: `{ noindex: true, 'max-image-preview': 'large' }`. */
export type Robots = Readonly<Record<string, boolean | string>>
