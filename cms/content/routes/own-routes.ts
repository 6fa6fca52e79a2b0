/** What WordPress lists among the types and taxonomies, though it has other routes than posts and terms have. */
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

/** Whether an admin has no general screens for a type or taxonomy, as it has some of its own or none at all. */
export function hasOwnRoutes({ name }: Kind): boolean {
  return Object.hasOwn(OWN_ROUTES, name)
}
