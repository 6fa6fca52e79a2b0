import { defineDashboard } from 'pentad/admin'
import { __ } from 'pentad/admin/i18n.ts'
import { PerformanceCard } from './dashboard-card.tsx'
import { useSpeedItems } from './use-speed-items.ts'

export default defineDashboard({
  id: 'speed',
  position: { card: 10, toDo: 30 },
  title: __('Performance', 'pentad'),
  Card: PerformanceCard,
  useToDo() {
    const { license, items } = useSpeedItems()
    const found = items.data?.items ?? []
    return {
      items: found.map((item) => ({
        ...item,
        to: item.setting === undefined ? '/performance' : '/performance/settings',
      })),
      queries: [license, items],
    }
  },
})
