import type { Responses } from '../../api/responses.ts'

/** What the active theme offers, and earlier settings. */
export type Choices = Responses['GET /host/v1/appearance']
export type Style = Choices['styles'][number]
