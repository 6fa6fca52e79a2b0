/** Responses of the routes of `ai/v1`. */
import type { Responses } from 'pentad/admin/api/responses.ts'

export type Choice = NonNullable<Providers['choices'][ModelKind]>

export type ProviderId = Provider['id']
export type ModelKind = keyof Provider['models']

export type Provider = Providers['items'][number]

export type Providers = Responses['GET /ai/v1/providers']

export type Usage = Responses['GET /ai/v1/usage']

export type ChangeStatus = Change['status']

/** A change proposed by the copilot. */
export type Change = Responses['GET /ai/v1/changes']['items'][number]

export type Step = Message['steps'][number]

export type Answer = NonNullable<Progress['answer']>

/** The state of a request to the copilot. */
export type CopilotRequest = Responses['GET /ai/v1/requests']['items'][number]

export type Progress = Responses['GET /ai/v1/progress']

export type Message = Responses['GET /ai/v1/conversations/{id}']['messages'][number]

export type Conversation = Responses['GET /ai/v1/conversations']['items'][number]

export type BrowserTools = Responses['GET /ai/v1/browser-tools']

export type VisitorConversation = Responses['GET /ai/v1/helpdesk-agent/conversations']['items'][number]

export type AuditItem = Responses['GET /ai/v1/audit-log']['items'][number]
