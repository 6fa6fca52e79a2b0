import type { JoiningHost } from '../../core/types.ts'
import type { Loader } from '../loader/index.ts'
import { type Blame, createBlame } from './blame.ts'
import { takeFaults } from './read-faults.ts'
import { reportFault } from './report-fault.ts'

export { type Blame, createBlame } from './blame.ts'

/** Interval of checks for commands that ended because of an extension, in ms. */
const FAULTS_CHECK = 5_000

/** Pauses the extensions that crashed a process of the site, before any extension runs and while the site is served. */
export function joinFaults(host: JoiningHost, loader: Loader): Blame {
  const { config, extensions, log, options } = host
  const take = () => takeFaults(config.siteDir, (fault) => reportFault(fault, { extensions, loader, log, options }))
  let checking: NodeJS.Timeout | undefined
  host.onLoad(take)
  host.onListen(() => {
    checking = setInterval(() => {
      take().catch((error) => log.error({ err: error }, 'could not read the errors that commands recorded'))
    }, FAULTS_CHECK).unref()
  })
  host.onClose(() => clearInterval(checking))
  return createBlame({ ...host, traces: loader.traces })
}
