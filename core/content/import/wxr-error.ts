import type { ImportReport } from './report.ts'

/** The export cannot be read to its end. What came before the break was imported and is told in `report`. */
export class WxrError extends Error {
  override readonly name = 'WxrError'
  /** Line of the file; 0 if it is not about a line. */
  readonly line: number
  /** The file that it is about. */
  file = ''
  /** What was imported all the same. */
  report: ImportReport | undefined

  constructor(message: string, line: number) {
    super(message)
    this.line = line
  }
}
