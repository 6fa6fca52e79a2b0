import { type ExportFilter, openWxrExport, writeWxr } from '../../../cms/content/export/index.ts'
import type { OpenSite } from '../import/open-site.ts'
import { textFile } from '../import/wxr-file.ts'

/** The export of a site as one text. */
export async function exportText(site: OpenSite, filter?: ExportFilter): Promise<string> {
  const wxr = await openWxrExport({ ...site, users: site.auth.users }, filter)
  let text = ''
  for await (const piece of writeWxr(wxr)) text += piece
  return text
}

/** The same as a file; its path. */
export async function exportFile(site: OpenSite, filter?: ExportFilter): Promise<string> {
  return textFile(await exportText(site, filter))
}
