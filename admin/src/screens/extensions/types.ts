import type { Responses } from '../../api/responses.ts'

/** An extension as `GET host/v1/extensions` returns it. */
export type ExtensionReport = Responses['GET /host/v1/extensions'][number]

/** A callback of a hook, as `GET host/v1/hooks` returns it. */
export type HookListener = HookReport['listeners'][number]

export type HookReport = Responses['GET /host/v1/hooks']['hooks'][number]

export const EXTENSIONS = 'host/v1/extensions'
