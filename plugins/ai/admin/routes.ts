/** What the routes of `ai/v1` answer. */

export interface Choice {
  readonly provider: ProviderId
  readonly model: string
}

export type ProviderId = 'openai' | 'anthropic' | 'google' | 'compatible'
export type ModelKind = 'text' | 'image' | 'embedding'

export interface Provider {
  readonly id: ProviderId
  readonly name: string
  readonly connected: boolean
  readonly models: Readonly<Record<ModelKind, { readonly model: string | null; readonly isChosen: boolean }>>
}

export interface Providers {
  readonly items: readonly Provider[]
  readonly choices: Readonly<Record<ModelKind, Choice | null>>
}

interface Used {
  readonly calls: number
  readonly inputTokens: number
  readonly outputTokens: number
}

export interface Usage {
  readonly month: string
  readonly limit: number
  readonly users: readonly (Used & { readonly userId: number; readonly name: string | null })[]
  readonly days: readonly (Used & { readonly day: string })[]
  readonly purposes: readonly (Used & { readonly operation: string })[]
}

export type ChangeStatus = 'proposed' | 'applying' | 'applied' | 'discarded'

/** What the copilot would do. */
export interface Change {
  readonly id: number
  readonly conversationId: number
  /** The reply that it came with. */
  readonly messageId: number
  /** Name of the ability. */
  readonly kind: string
  readonly target: { readonly type: string; readonly id: string | number | null; readonly title: string }
  readonly summary: string
  readonly before: Readonly<Record<string, unknown>> | null
  readonly after: Readonly<Record<string, unknown>> | null
  readonly status: ChangeStatus
  readonly createdAt: string
  readonly settledAt: string | null
}

export interface Step {
  readonly tool: string
  readonly summary: string
}

export interface Answer {
  readonly conversationId: number
  readonly reply: string
  readonly truncated: boolean
  readonly steps: readonly Step[]
  readonly changes: readonly Change[]
}

/** A request to the copilot, as it stands. */
export interface CopilotRequest {
  readonly requestId: string
  readonly conversationId: number | null
  readonly message: string
  readonly startedAt: string
  readonly state: 'running' | 'complete' | 'failed' | 'cancelled'
  readonly step: number
  readonly maxSteps: number
  readonly tool: string | null
}

export interface Progress extends CopilotRequest {
  readonly partial: string
  readonly answer: Answer | null
  readonly error: { readonly code: string; readonly message: string } | null
}

export interface Message {
  readonly id: number
  readonly role: 'user' | 'assistant'
  readonly text: string
  readonly steps: readonly Step[]
  readonly createdAt: string
}

export interface Conversation {
  readonly id: number
  readonly title: string
  readonly updatedAt: string
}

export interface BrowserTools {
  readonly enabled: boolean
  readonly items: readonly {
    readonly name: string
    readonly title: string
    readonly description: string
    readonly readOnly: boolean
  }[]
}

export interface VisitorConversation {
  readonly id: number
  readonly updatedAt: string
  readonly answered: boolean
  readonly turns: readonly {
    readonly question: string
    readonly reply: string
    readonly answered: boolean
    readonly createdAt: string
  }[]
}

export interface AuditItem {
  readonly id: number
  readonly userId: number
  readonly userName: string | null
  readonly event: 'turn' | 'read' | 'propose' | 'apply' | 'discard'
  readonly ability: string
  readonly summary: string
  readonly outcome: string
  readonly createdAt: string
}
