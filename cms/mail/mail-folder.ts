import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { writeAtomically } from '../../core/files/atomic-write.ts'
import type { Logger } from '../../core/log.ts'
import { type Delivery, mailFailed } from './smtp.ts'

/** Stores every message as an `.eml` file that mail programs open; its name sorts by the time of sending. */
export function createMailFolder(folder: string, log: Logger): Delivery {
  const composer = createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  let count = 0

  return {
    close: () => composer.close(),
    async deliver(message) {
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
    },
  }
}
