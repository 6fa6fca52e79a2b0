import { hash } from 'node:crypto'
import { writeSync } from 'node:fs'
import { type FileHandle, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Steps that are executed once; a resumed import finds them completed. */
export type Step =
  | 'user'
  | 'term'
  | 'post'
  | 'comment'
  | 'file'
  | 'download'
  | 'size'
  | 'title'
  | 'first content'
  | 'addresses'

/**
 * Journal of an import in a file: a continued import includes these steps in its report, and knows whether the site was new. A step is
 * recorded before it is executed; if the process dies in between, the next import executes it, and its report is the same.
 */
export interface ImportJournal {
  /** @param name - Name of the step: for a post, its type and GUID. */
  note(step: Step, name?: string): Promise<void>
  /** Whether the interrupted import did this; returns `true` as many times as it did. */
  take(step: Step, name?: string): boolean
  /** Called after the report. If the file ended too early, the next import completes the rest. */
  conclude(isComplete: boolean): Promise<void>
  /** Closes the file, which the next import reads. */
  [Symbol.asyncDispose](): Promise<void>
}

/** Of imports that change nothing. */
const NONE: ImportJournal = {
  note: async () => {},
  take: () => false,
  conclude: async () => {},
  [Symbol.asyncDispose]: async () => {},
}

/** @param source - URL of the site that the export comes from. */
export async function openJournal(siteDir: string, source: string, dryRun: boolean): Promise<ImportJournal> {
  if (dryRun) return NONE
  const folder = join(siteDir, 'tmp')
  await mkdir(folder, { recursive: true })
  const path = join(folder, `import-journal-${shortHash(source)}`)
  const before = new Map<string, number>()
  const lines = (await readFile(path, 'utf8').catch(() => '')).split('\n')
  for (const line of lines) if (line !== '') before.set(line, (before.get(line) ?? 0) + 1)
  let hasTakenAddresses = before.has(lineOf('addresses'))
  let file: FileHandle | undefined = await open(path, 'a', 0o600)

  async function close(): Promise<void> {
    await file?.close()
    file = undefined
  }

  return {
    async note(step, name) {
      if (step === 'addresses') hasTakenAddresses = true
      // A few bytes in the system's cache: writing them takes less time than another thread would.
      if (file) writeSync(file.fd, `${lineOf(step, name)}\n`)
    },
    take(step, name) {
      const line = lineOf(step, name)
      const left = before.get(line) ?? 0
      if (left > 0) before.set(line, left - 1)
      return left > 0
    },
    async conclude(isComplete) {
      if (isComplete || !hasTakenAddresses) {
        await close()
        await rm(path, { force: true })
        return
      }
      await file?.truncate()
      await file?.write(`${lineOf('addresses')}\n`)
    },
    [Symbol.asyncDispose]: close,
  }
}

/** A digest of fixed length, regardless of the names in an export. */
function lineOf(step: Step, name = ''): string {
  return `${step} ${shortHash(name)}`
}

function shortHash(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 22)
}
