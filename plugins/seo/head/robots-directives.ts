/** Directives by name, as in the `wp_robots` filter: `{ noindex: true, 'max-image-preview': 'large' }`. */
export type Robots = Readonly<Record<string, boolean | string>>
