import type { Auth } from '../../../core/auth/types.ts'
import type { Config } from '../../../core/config.ts'
import type { Hooks } from '../../../core/hooks/types.ts'
import type { Logger } from '../../../core/log.ts'
import type { Content } from '../../content/types.ts'
import type { Jobs } from '../../jobs/types.ts'

/** The parts of the site whose changes are watched. */
export interface SiteParts {
  readonly hooks: Hooks
  readonly content: Content
  readonly auth: Pick<Auth, 'users'>
  readonly jobs: Pick<Jobs, 'schedule'>
  readonly config: Pick<Config, 'url'>
  readonly log: Logger
}
