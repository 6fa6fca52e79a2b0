import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { writeAtomically } from '../../core/files/atomic-write.ts'
import type { Logger } from '../../core/log.ts'
import type { CheckedMessage } from './message.ts'
import { type Delivery, mailFailed } from './smtp.ts'
import type { SentMail } from './types.ts'

/**
 * Stores every message as an `.eml` file that mail programs open; its name sorts by the time of sending. Closing waits for the files
 * that are being written: nothing is written to the folder of a closed site.
 */
export function createMailFolder(folder: string, log: Logger): Delivery {
  const composer = createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const pending = new Set<Promise<SentMail>>()
  let isClosed = false
  let count = 0

  async function write(message: CheckedMessage): Promise<SentMail> {
    const time = new Date().toISOString().replace(/[-:.]/g, '')
    const order = String(count++).padStart(6, '0')
    const file = join(folder, `${time}-${order}-${randomBytes(4).toString('hex')}.eml`)
    try {
      const { messageId, message: content } = await composer.sendMail(message)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      // Programs that watch the folder never read half a message.
      await writeAtomically(file, (path) => writeFile(path, content))
      log.info({ file }, 'no SMTP server configured, mail stored as a file')
      return { messageId, file }
    } catch (error) {
      throw mailFailed(error)
    }
  }

  return {
    async close() {
      isClosed = true
      composer.close()
      await Promise.allSettled(pending)
    },
    async deliver(message) {
      if (isClosed) throw mailFailed(Object.assign(new Error('The site is closing.'), { code: 'ABORTED' }))
      const writing = write(message)
      pending.add(writing)
      try {
        return await writing
      } finally {
        pending.delete(writing)
      }
    },
  }
}
