declare module 'gettext-parser' {
  export interface GettextEntry {
    msgid: string
    msgctxt?: string
    msgid_plural?: string
    msgstr: string[]
    comments?: { reference?: string; flag?: string; extracted?: string }
  }
  export interface GettextFile {
    charset: string
    headers: Record<string, string>
    /** By context, then by `msgid`. */
    translations: Record<string, Record<string, GettextEntry>>
  }
  export const po: {
    parse(text: string | Buffer): GettextFile
    compile(file: GettextFile, options?: { foldLength?: number }): Buffer
  }
}
