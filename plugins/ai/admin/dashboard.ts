import { defineDashboard, type LinkedItem } from 'pentad/admin'
import { useRead } from 'pentad/admin/api/query.ts'
import { __ } from 'pentad/admin/i18n.ts'
import { AiCard } from './dashboard-card.tsx'
import type { Providers } from './routes.ts'

export default defineDashboard({
  id: 'ai',
  position: { card: 50, toDo: 50 },
  title: __('AI', 'pentad'),
  Card: AiCard,
  useToDo() {
    const providers = useRead<Providers>('ai/v1/providers')
    return { items: providers.data && !providers.data.choices.text ? [CONNECT] : [], queries: [providers] }
  },
})

const CONNECT: LinkedItem = {
  id: 'provider',
  title: __('Connect an AI provider', 'pentad'),
  description: __('The copilot, the helpdesk, and the AI writing tools in the editor need one.', 'pentad'),
  impact: 'low',
  to: '/ai',
}
