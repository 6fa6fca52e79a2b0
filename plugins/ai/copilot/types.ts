import type { User } from 'pentad'
import type { Usage } from '../providers/types.ts'
import type { Change } from './changes.ts'
import type { Step } from './tools.ts'

/** One message to the copilot. */
export interface Asked {
  readonly requestId: string
  readonly user: User
  readonly message: string
  readonly conversationId: number | undefined
  /** IDs of posts that the user mentions. */
  readonly mentioned: readonly number[]
  /** The screen that the user is viewing. */
  readonly screen: string | undefined
  /** Aborted when the client disconnects; in the background, when the extension is unloaded. */
  readonly signal: AbortSignal
}

/** Result of a turn. */
export interface Answered {
  readonly requestId: string
  readonly conversationId: number
  readonly reply: string
  /** Whether the model stopped before the reply was complete. */
  readonly truncated: boolean
  readonly steps: readonly Step[]
  readonly changes: readonly Change[]
  readonly usage: Usage & { readonly totalTokens: number }
}
