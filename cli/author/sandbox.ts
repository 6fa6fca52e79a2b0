import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describeFailure } from '../../app/loader/build-failure.ts'
import type { Source } from '../../app/loader/index.ts'
import { isReservedId } from '../../cms/sandbox/reserved-ids.ts'

/**
 * Why an extension cannot run in a sandbox, as sentences: modules of Node, permissions that do not exist, or files for pages. Its code is
 * evaluated in a sandbox that can do nothing.
 */
export async function sandboxProblems({ id, entry, isolation }: Source, folder: string): Promise<string[]> {
  if (isolation === 'process') return []
  const problems: string[] = []
  if (isReservedId(id)) problems.push(`The ID ${id} is reserved: a part of Pentad uses it. Choose another one.`)
  if (isolation === 'sandbox' && existsSync(join(folder, 'assets'))) {
    problems.push('A sandboxed extension cannot add files to pages. Remove the assets folder.')
  }
  const { bundleGuest, readManifest } = await import('../../cms/sandbox/extension.ts')
  try {
    const filename = join(dirname(entry), '.check.cjs')
    await readManifest(await bundleGuest(entry, folder, filename), filename)
  } catch (error) {
    problems.push(describeFailure(error, folder))
  }
  return problems
}
