import type { Answers } from '../../api/answers.ts'

/** One extension, as `GET host/v1/extensions` answers it. */
export type ExtensionReport = Answers['GET /host/v1/extensions'][number]

/** One callback of a hook, as `GET host/v1/hooks` answers it. */
export type HookListener = HookReport['listeners'][number]

export type HookReport = Answers['GET /host/v1/hooks']['hooks'][number]

export const EXTENSIONS = 'host/v1/extensions'
