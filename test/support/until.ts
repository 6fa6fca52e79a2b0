import { setTimeout as wait } from 'node:timers/promises'

/** Waits until something is so; a test that waits in vain fails by mocha's time limit. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await wait(20)
}
