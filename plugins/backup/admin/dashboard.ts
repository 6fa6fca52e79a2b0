import { IconArchive } from '@tabler/icons-react'
import { defineDashboard } from 'pentad/admin'
import { useRead } from 'pentad/admin/api/query.ts'
import { __ } from 'pentad/admin/i18n.ts'
import { BackupCard } from './dashboard-card.tsx'
import { linkOf } from './item-link.ts'
import type { Overview } from './types.ts'

export default defineDashboard({
  id: 'backup',
  position: { card: 40, toDo: 10 },
  title: __('Backup', 'pentad'),
  Card: BackupCard,
  useToDo() {
    const overview = useRead<Overview>('backup/v1/backup/overview')
    const items = overview.data?.actionItems ?? []
    return {
      items: items.map((item) => ({ ...item, to: linkOf(item, overview.data) ?? '/backup' })),
      queries: [overview],
    }
  },
  quickAction: { label: __('Back up', 'pentad'), to: '/backup', icon: IconArchive },
})
