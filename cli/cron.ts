import { Command } from 'commander'
import { withHost } from './with-host.ts'

/** `pentad cron`: runs what is due, for sites that no process serves all the time. */
export function cronCommand(): Command {
  return new Command('cron')
    .description('run what is due now and one step of every running job; for a system cron where the server sleeps')
    .action(() => withHost((host) => host.jobs.runDue()))
}
