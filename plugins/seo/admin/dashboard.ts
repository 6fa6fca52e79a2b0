import { defineDashboard } from 'pentad/admin'
import { useRead } from 'pentad/admin/api/query.ts'
import { __ } from 'pentad/admin/i18n.ts'
import { SeoCard } from './dashboard-card.tsx'
import { linkOf } from './item-link.ts'
import type { Overview } from './routes.ts'

export default defineDashboard({
  id: 'seo',
  position: { card: 20, toDo: 20 },
  title: __('SEO', 'pentad'),
  Card: SeoCard,
  useToDo() {
    const overview = useRead<Overview>('seo/v1/overview')
    const items = overview.data?.actionItems ?? []
    return { items: items.map((item) => ({ ...item, to: linkOf(item) ?? '/seo' })), queries: [overview] }
  },
})
