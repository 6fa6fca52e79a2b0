import { request } from 'pentad/admin/api/rest.ts'
import { __ } from 'pentad/admin/i18n.ts'
import { saveFile } from 'pentad/admin/parts/save-file.ts'
import { REDIRECTS } from './routes.ts'

export const EXPORT_FORMATS = [
  { format: 'csv', label: __('CSV (spreadsheets and other plugins)', 'pentad'), extension: 'csv' },
  { format: 'json', label: __('JSON (all fields)', 'pentad'), extension: 'json' },
  { format: 'htaccess', label: __('.htaccess (Apache)', 'pentad'), extension: 'htaccess' },
  { format: 'nginx', label: __('nginx', 'pentad'), extension: 'conf' },
] as const

/** Downloads all redirects as a file. */
export async function exportRedirects(format: (typeof EXPORT_FORMATS)[number]['format']): Promise<void> {
  const data = await request(`${REDIRECTS}/export`, { query: { format } })
  const extension = EXPORT_FORMATS.find((one) => one.format === format)?.extension ?? 'txt'
  const text = format === 'json' ? JSON.stringify((await data.json()).data, null, 2) : await data.text()
  saveFile(`redirects.${extension}`, new Blob([text]))
}
