import type { PluginDashboard } from '../../plugins/types.ts'

const found = import.meta.glob<PluginDashboard>('../../../../plugins/*/admin/dashboard.ts', {
  eager: true,
  import: 'default',
})

/** What the plugins of the product bring to the dashboard, in the order of their cards. */
export const pluginDashboards: readonly PluginDashboard[] = Object.values(found).toSorted(
  (one, other) => one.position.card - other.position.card,
)
