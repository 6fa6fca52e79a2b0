import { useRead } from '../../api/query.ts'
import { __ } from '../../i18n.ts'
import { ROLES, type RoleItem } from './user.ts'

/** Translatable names of the built-in roles; custom roles keep their names. */
const NAMES: Readonly<Record<string, string>> = {
  administrator: __('Administrator', 'pentad'),
  editor: __('Editor', 'pentad'),
  author: __('Author', 'pentad'),
  contributor: __('Contributor', 'pentad'),
  subscriber: __('Subscriber', 'pentad'),
  cache: __('Cache client', 'pentad'),
}

const ABOUT: Readonly<Record<string, string>> = {
  administrator: __('Has full access, including settings, users, and extensions.', 'pentad'),
  editor: __('Publishes and manages all posts, including those of other users.', 'pentad'),
  author: __('Publishes and manages their own posts.', 'pentad'),
  contributor: __('Writes and manages their own posts, but can’t publish them.', 'pentad'),
  subscriber: __('Manages only their own profile.', 'pentad'),
  cache: __('Reads the list of outdated pages. For a cache or CDN, not for people.', 'pentad'),
}

export function useRoles() {
  const { data } = useRead<{ readonly items: readonly RoleItem[] }>(ROLES)
  const items = data?.items ?? []
  const nameOf = (role: string) => NAMES[role] ?? items.find((one) => one.role === role)?.name ?? role
  return {
    nameOf,
    aboutOf: (role: string) => ABOUT[role],
    options: items.map(({ role }) => ({ value: role, label: nameOf(role) })),
  }
}
