import type { ExtensionHost } from 'pentad'
import type { Providers } from '../providers/types.ts'
import { createSafeReply } from '../safe-reply.ts'
import type { AiSettings } from '../settings.ts'
import { createAuditLog } from './audit-log.ts'
import { registerChangeRoutes } from './change-routes.ts'
import { createChanges } from './changes.ts'
import { registerConversationRoutes } from './conversation-routes.ts'
import { createConversations } from './conversations.ts'
import { registerPersonalData } from './personal-data.ts'
import { createTurns } from './progress.ts'
import { openCopilotTables } from './tables.ts'
import { createTurn } from './turn.ts'
import { registerTurnRoutes } from './turn-routes.ts'

/**
 * The copilot: answers questions of administrators from site content, and proposes changes that they apply or discard.
 */
export async function registerCopilot(
  host: ExtensionHost,
  { settings, providers }: { settings: () => AiSettings; providers: Pick<Providers, 'tools'> },
): Promise<void> {
  const db = await openCopilotTables(host.database)
  const conversations = createConversations(db)
  const changes = createChanges(db)
  const audit = createAuditLog(db)
  const turns = createTurns()
  const safeReply = createSafeReply(host.site.url)
  const begin = createTurn({ host, settings, providers, db, conversations, changes, turns, audit, safeReply })

  registerTurnRoutes(host, { begin, turns, safeReply })
  registerChangeRoutes(host, { changes, audit })
  registerConversationRoutes(host, { conversations, audit })

  host.hooks.addAction('deleted_user', (userId) => conversations.removeOf(userId))
  registerPersonalData(host, conversations)
  host.jobs.schedule('forget-conversations', '51 4 * * *', async () => {
    await conversations.prune(Date.now())
    await audit.prune(Date.now())
  })
}
