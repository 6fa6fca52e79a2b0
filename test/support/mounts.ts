import { spawnSync } from 'node:child_process'

/** Whether this process may mount file systems, as root in most containers and machines of a CI may. */
export const canMount = process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'true']).status === 0

/** Mounts a small file system in memory on a folder, until the result is called. */
export function mountSmallDisk(folder: string, megabytes: number): () => void {
  return mount(folder, ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder])
}

/** Makes a folder read-only, even for root and with files open, until the result is called. */
export function mountReadOnly(folder: string): () => void {
  const unmount = mount(folder, ['--bind', folder, folder])
  run('mount', ['-o', 'remount,bind,ro', folder])
  return unmount
}

function mount(folder: string, args: readonly string[]): () => void {
  run('mount', args)
  return () => run('umount', ['--lazy', folder])
}

function run(command: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`)
}
