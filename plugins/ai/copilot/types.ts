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
  /** Ids of posts that the user mentions. */
  readonly mentioned: readonly number[]
  /** What the user is looking at. */
  readonly screen: string | undefined
  /** Fires when the client leaves; where it does not wait, when the extension is unloaded. */
  readonly signal: AbortSignal
}

/** What came of it. */
export interface Answered {
  readonly requestId: string
  readonly conversationId: number
  readonly reply: string
  /** The model had to stop before its end. */
  readonly truncated: boolean
  readonly steps: readonly Step[]
  readonly changes: readonly Change[]
  readonly usage: Usage & { readonly totalTokens: number }
}
