import type { ImportReport } from './report.ts'

/** What helps where a file was cut or damaged. */
export const COMPLETE = 'Importing the whole file later completes it'

/** The export cannot be read to its end. What came before the break was imported and is told in `report`. */
export class WxrError extends Error {
  override readonly name = 'WxrError'
  /** Line of the file; 0 if it is not about a line. */
  readonly line: number
  /** The file that it is about. */
  file = ''
  /** What was imported all the same. */
  report: ImportReport | undefined

  /** What to do next, without a full stop. */
  readonly remedy: string

  constructor(message: string, line: number, remedy = COMPLETE) {
    super(message)
    this.line = line
    this.remedy = remedy
  }
}
