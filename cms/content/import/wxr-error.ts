import { type ImportReport, summarizeImport } from './report.ts'

/** Remedy for a truncated or damaged file. */
export const COMPLETE = 'To finish the import, import the complete file'

/** The export cannot be read to its end. Content before that was imported and is in `report`. */
export class WxrError extends Error {
  override readonly name = 'WxrError'
  /** Line of the file; 0 if it is not about a line. */
  readonly line: number
  /** The file that it is about. */
  file = ''
  /** The report of what was imported. */
  report: ImportReport | undefined

  /** The next step, without a full stop. */
  readonly remedy: string

  constructor(message: string, line: number, remedy = COMPLETE) {
    super(message)
    this.line = line
    this.remedy = remedy
  }
}

/** Names the file that the error is about, if it does not have one yet. */
export function inFile(error: WxrError, file: { readonly name: string } | undefined): WxrError {
  error.file ||= file?.name ?? ''
  return error
}

/**
 * The error message for the site owner.
 * @param report - What was imported nevertheless; `undefined` if nothing was.
 */
export function explain(broken: WxrError, report: ImportReport | undefined): WxrError {
  const at = broken.line > 0 ? `, line ${broken.line}` : ''
  const isBegun = report && Object.values(report.posts).some(({ added, existing }) => added + existing > 0)
  const before = report?.dryRun
    ? isBegun
      ? `Nothing was changed by the dry run. An import would stop here, after ${summarizeImport(report)}.`
      : 'Nothing was changed by the dry run. An import would stop before it imports anything.'
    : isBegun
      ? `The content before this point was imported: ${summarizeImport(report)}.`
      : 'Nothing was imported.'
  const next = isBegun || broken.remedy !== COMPLETE ? ` ${broken.remedy}.` : ''
  const error = new WxrError(`${broken.file}${at}: the file ${broken.message}. ${before}${next}`, broken.line)
  error.report = report
  return error
}
