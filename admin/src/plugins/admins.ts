import type { PluginAdmin } from './types.ts'

const found = import.meta.glob<PluginAdmin>('../../../plugins/*/admin/index.ts', { eager: true, import: 'default' })

/** What the plugins of the product bring to every page, in the order of the navigation. */
export const pluginAdmins: readonly PluginAdmin[] = Object.values(found).toSorted(
  (one, other) => one.position - other.position,
)
