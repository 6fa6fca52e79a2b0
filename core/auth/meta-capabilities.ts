import type { Hooks, Undo } from '../hooks/types.ts'
import {
  type CapabilityArgs,
  DENIED,
  type MapCapability,
  type MetaCapabilityResolver,
} from './meta-capability-resolver.ts'

/** Capabilities that require exactly one other capability, by the capability that they require. */
const SAME_AS = new Map(
  Object.entries({
    promote_users: 'promote_user add_users',
    remove_users: 'remove_user',
    delete_users: 'delete_user',
    unfiltered_html: 'edit_css',
    install_plugins: 'upload_plugins',
    install_themes: 'upload_themes',
    install_languages: 'update_languages',
    activate_plugins: 'activate_plugin deactivate_plugin deactivate_plugins',
    resume_plugins: 'resume_plugin',
    resume_themes: 'resume_theme',
    edit_theme_options: 'customize',
    manage_categories: 'manage_post_tags edit_categories edit_post_tags delete_categories delete_post_tags',
    edit_posts: 'assign_categories assign_post_tags',
    manage_options: 'setup_network export_others_personal_data erase_others_personal_data manage_privacy_options',
    update_core: 'update_php',
    // Always denied, as in WordPress unless its constants enable them.
    do_not_allow: 'unfiltered_upload manage_links delete_site',
  }).flatMap(([required, capabilities]) => capabilities.split(' ').map((one) => [one, required] as const)),
)

/** Capabilities for application passwords require the same as editing the user. */
const OF_APPLICATION_PASSWORDS = /^(?:create|read|edit|delete)_app_password$|^(?:list|delete)_app_passwords$/

export interface MetaCapabilities {
  readonly map: MapCapability
  /** Like `map`, for a capability without an object ID. */
  mapGeneral(capability: string, userId: number): readonly string[]
  add(resolver: MetaCapabilityResolver): Undo
}

/** WordPress's `map_meta_cap` for a single site: maps capabilities for users, and by resolvers those for other objects. */
export function createMetaCapabilities(hooks: Hooks): MetaCapabilities {
  let resolvers: readonly MetaCapabilityResolver[] = []

  function find(capability: string): { resolver: MetaCapabilityResolver; name: string } | undefined {
    for (const resolver of resolvers) {
      const name = resolver.nameOf(capability)
      if (name !== undefined) return { resolver, name }
    }
    return undefined
  }

  function general(capability: string, userId: number, args: CapabilityArgs): readonly string[] {
    const [id] = args
    if (OF_APPLICATION_PASSWORDS.test(capability)) {
      return filtered(general('edit_user', userId, args), 'edit_user', userId, args)
    }
    if (capability === 'edit_user' || capability === 'edit_users') {
      if (userId < 1) return DENIED
      return capability === 'edit_user' && id === userId ? [] : ['edit_users']
    }
    if (capability === 'update_https') return ['manage_options', 'update_core']
    return [SAME_AS.get(capability) ?? capability]
  }

  function filtered(needed: readonly string[], capability: string, userId: number, args: CapabilityArgs) {
    return hooks.applyFilters('map_meta_cap', needed, capability, userId, args)
  }

  async function map(capability: string, userId: number, args: CapabilityArgs): Promise<readonly string[]> {
    const found = find(capability)
    if (!found) return filtered(general(capability, userId, args), capability, userId, args)
    const { resolver, name } = found
    const needed = filtered(await resolver.map(name, userId, args, map), name, userId, args)
    return resolver.mapAfterFilter ? resolver.mapAfterFilter(needed, name, userId, args) : needed
  }

  return {
    map,
    mapGeneral(capability, userId) {
      const found = find(capability)
      const name = found?.name ?? capability
      return filtered(found ? DENIED : general(name, userId, []), name, userId, [])
    },
    add(resolver) {
      resolvers = [...resolvers, resolver]
      return () => {
        resolvers = resolvers.filter((other) => other !== resolver)
      }
    },
  }
}
