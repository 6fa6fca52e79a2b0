import { readOnlyMap, readOnlySet } from '../hooks/read-only.ts'
import type { Undo } from '../hooks/types.ts'

export interface Role {
  readonly name: string
  readonly capabilities: ReadonlySet<string>
}

/** The roles of the site, and the combined capabilities of several roles. */
export interface Roles {
  /** All roles, including added capabilities. */
  all(): ReadonlyMap<string, Role>
  /**
   * Primitive capabilities of a user with these roles, including the role names as in WordPress. Frozen, and the same object until a
   * role changes.
   */
  capabilitiesOf(roles: readonly string[]): Readonly<Record<string, boolean>>
  addRole(role: string, name: string, capabilities: readonly string[]): Undo
  addCapabilities(role: string, capabilities: readonly string[]): Undo
}

const words = (text: string) => text.trim().split(/\s+/)
const levels = (highest: number) => Array.from({ length: highest + 1 }, (_, level) => `level_${level}`)

const SUBSCRIBER = words('read')
const CONTRIBUTOR = words('read edit_posts delete_posts')
const AUTHOR = words(`
  read edit_posts edit_published_posts publish_posts delete_posts delete_published_posts upload_files
`)
const EDITOR = words(`
  read upload_files moderate_comments manage_categories manage_links unfiltered_html
  edit_posts edit_others_posts edit_published_posts edit_private_posts publish_posts read_private_posts
  delete_posts delete_others_posts delete_published_posts delete_private_posts
  edit_pages edit_others_pages edit_published_pages edit_private_pages publish_pages read_private_pages
  delete_pages delete_others_pages delete_published_pages delete_private_pages
`)
const ADMINISTRATOR = words(`
  ${EDITOR.join(' ')}
  manage_options import export edit_files edit_dashboard unfiltered_upload update_core
  list_users create_users edit_users promote_users remove_users delete_users
  activate_plugins edit_plugins install_plugins update_plugins delete_plugins
  switch_themes edit_themes install_themes update_themes delete_themes edit_theme_options
`)

/** WordPress's default roles (`populate_roles`), in descending order of capabilities. */
const DEFAULT_ROLES: readonly (readonly [role: string, name: string, capabilities: readonly string[]])[] = [
  ['administrator', 'Administrator', [...ADMINISTRATOR, ...levels(10)]],
  ['editor', 'Editor', [...EDITOR, ...levels(7)]],
  ['author', 'Author', [...AUTHOR, ...levels(2)]],
  ['contributor', 'Contributor', [...CONTRIBUTOR, ...levels(1)]],
  ['subscriber', 'Subscriber', [...SUBSCRIBER, ...levels(0)]],
]

/** A role, or capabilities added to one. The roles result from all additions together. */
interface Addition {
  readonly role: string
  /** Set only for an addition that creates a role. */
  readonly name: string | undefined
  readonly capabilities: readonly string[]
}

/**
 * Additions are independent layers: during a reload, two versions of an extension can add the same role, and undoing one does not affect
 * the other.
 */
export function createRoles(): Roles {
  let additions: readonly Addition[] = DEFAULT_ROLES.map(([role, name, capabilities]) => ({ role, name, capabilities }))
  let merged = merge(additions)
  let ofRoles = new Map<string, Readonly<Record<string, boolean>>>()

  function change(next: readonly Addition[]): void {
    additions = next
    merged = merge(additions)
    ofRoles = new Map()
  }
  function add(addition: Addition): Undo {
    change([...additions, addition])
    return () => change(additions.filter((other) => other !== addition))
  }

  return {
    all: () => merged,
    addRole: (role, name, capabilities) => add({ role, name, capabilities }),
    addCapabilities: (role, capabilities) => add({ role, name: undefined, capabilities }),
    capabilitiesOf(roles) {
      const key = roles.join(' ')
      let capabilities = ofRoles.get(key)
      if (!capabilities) {
        capabilities = Object.freeze(union(roles, merged))
        ofRoles.set(key, capabilities)
      }
      return capabilities
    },
  }
}

function merge(additions: readonly Addition[]): ReadonlyMap<string, Role> {
  const roles = new Map<string, Role>()
  for (const { role, name } of additions) {
    if (name !== undefined) roles.set(role, { name, capabilities: new Set() })
  }
  for (const [role, { name }] of roles) {
    const own = additions.filter((addition) => addition.role === role)
    const capabilities = readOnlySet(own.flatMap((addition) => addition.capabilities))
    roles.set(role, Object.freeze({ name, capabilities }))
  }
  return readOnlyMap(roles)
}

function union(roles: readonly string[], all: ReadonlyMap<string, Role>): Record<string, boolean> {
  const capabilities: Record<string, boolean> = {}
  for (const role of roles) {
    for (const capability of all.get(role)?.capabilities ?? []) capabilities[capability] = true
  }
  for (const role of roles) if (all.has(role)) capabilities[role] = true
  return capabilities
}
