/** Responses of the routes of `ai/v1`. */
import type { Answers } from 'pentad/admin/api/answers.ts'

export type Choice = NonNullable<Providers['choices'][ModelKind]>

export type ProviderId = Provider['id']
export type ModelKind = keyof Provider['models']

export type Provider = Providers['items'][number]

export type Providers = Answers['GET /ai/v1/providers']

export type Usage = Answers['GET /ai/v1/usage']

export type ChangeStatus = Change['status']

/** A change proposed by the copilot. */
export type Change = Answers['GET /ai/v1/changes']['items'][number]

export type Step = Message['steps'][number]

export type Answer = NonNullable<Progress['answer']>

/** The state of a request to the copilot. */
export type CopilotRequest = Answers['GET /ai/v1/requests']['items'][number]

export type Progress = Answers['GET /ai/v1/progress']

export type Message = Answers['GET /ai/v1/conversations/{id}']['messages'][number]

export type Conversation = Answers['GET /ai/v1/conversations']['items'][number]

export type BrowserTools = Answers['GET /ai/v1/browser-tools']

export type VisitorConversation = Answers['GET /ai/v1/helpdesk-agent/conversations']['items'][number]

export type AuditItem = Answers['GET /ai/v1/audit-log']['items'][number]
