/** Types and taxonomies that WordPress lists, but that have special routes. */
const OWN_ROUTES: Readonly<Record<string, string>> = {
  nav_menu_item: 'menu-items',
  nav_menu: 'menus',
  wp_template: 'templates',
  wp_template_part: 'template-parts',
}

interface Kind {
  readonly name: string
  readonly restBase: string | null
}

/** The last part of the route of a type or taxonomy, or `null` if it has none. */
export function restBaseOf({ name, restBase }: Kind): string | null {
  return restBase ?? OWN_ROUTES[name] ?? null
}

/** Whether a type or taxonomy has special screens in the admin, or none. */
export function hasOwnRoutes({ name }: Kind): boolean {
  return Object.hasOwn(OWN_ROUTES, name)
}
