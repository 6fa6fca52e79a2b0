import { defineDashboard } from 'pentad/admin'
import { useRead } from 'pentad/admin/api/query.ts'
import { __ } from 'pentad/admin/i18n.ts'
import { PwaCard } from './dashboard-card.tsx'
import { linkOf } from './item-link.ts'
import type { Score } from './routes.ts'

export default defineDashboard({
  id: 'pwa',
  position: { card: 30, toDo: 40 },
  title: __('PWA', 'pentad'),
  Card: PwaCard,
  useToDo() {
    const score = useRead<Score>('pwa/v1/pwa-score/fetch')
    const items = score.data?.actionItems ?? []
    return { items: items.map((item) => ({ ...item, to: linkOf(item) ?? '/pwa' })), queries: [score] }
  },
})
