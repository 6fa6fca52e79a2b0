import { Select } from '@mantine/core'
import type { Edited, Term } from 'pentad/admin'
import { useRead } from 'pentad/admin/api/query.ts'
import { __ } from 'pentad/admin/i18n.ts'
import { plainText } from 'pentad/admin/parts/plain-text.ts'

const KEY = '_seo_primary_category'

/** Selects the primary category, which is used in breadcrumbs and titles. */
export function PrimaryCategory({ edited: { fields, setMeta } }: { edited: Edited }) {
  const chosen = fields.terms.categories ?? []
  const query = { include: chosen, per_page: 100, _fields: 'id,name' }
  const terms = useRead<readonly Term[]>('wp/v2/categories', query, { enabled: chosen.length > 1 })
  if (chosen.length < 2) return null
  const value = Number(fields.meta[KEY] ?? 0)
  return (
    <Select
      label={__('Primary category', 'pentad')}
      placeholder={__('First category', 'pentad')}
      clearable
      data={(terms.data ?? []).map(({ id, name }) => ({ value: String(id), label: plainText(name) }))}
      value={chosen.includes(value) ? String(value) : null}
      onChange={(id) => setMeta(KEY, Number(id ?? 0))}
    />
  )
}
