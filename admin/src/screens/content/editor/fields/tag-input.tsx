import { TagsInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useRef, useState } from 'react'
import { useRead } from '../../../../api/query.ts'
import { change, read } from '../../../../api/rest.ts'
import { __ } from '../../../../i18n.ts'
import { notifyFailed } from '../../../../parts/notify.ts'
import { plainText } from '../../../../parts/plain-text.ts'
import type { ContentTaxonomy, Term } from '../../types.ts'

interface TagInputProps {
  readonly taxonomy: ContentTaxonomy
  readonly chosen: readonly number[]
  readonly onChange: (ids: readonly number[]) => void
}

/** An input for terms of a flat taxonomy; new terms are created. */
export function TagInput({ taxonomy, chosen, onChange }: TagInputProps) {
  const base = `wp/v2/${taxonomy.rest_base}`
  const [search, setSearch] = useState('')
  const [asked] = useDebouncedValue(search, 250)
  // The names as entered, until the IDs of all of them are known, so that typing goes on meanwhile.
  const [entered, setEntered] = useState<readonly string[]>()
  const queue = useRef(Promise.resolve())
  const [made, setMade] = useState<readonly Term[]>([])
  const fields = { per_page: 100, _fields: 'id,name' }
  const named = useRead<readonly Term[]>(base, { ...fields, include: chosen }, { enabled: chosen.length > 0 })
  const found = useRead<readonly Term[]>(base, {
    ...fields,
    search: asked,
    per_page: 20,
    orderby: 'count',
    order: 'desc',
  })
  const known = [...made, ...(named.data ?? []), ...(found.data ?? [])]

  async function take(wanted: readonly string[]): Promise<void> {
    try {
      const terms = await Promise.all(wanted.map((name) => findOrMakeTerm(base, name, known)))
      setMade(terms)
      onChange([...new Set(terms.map(({ id }) => id))])
    } catch (error) {
      notifyFailed(error)
    }
    setEntered((latest) => (latest === wanted ? undefined : latest))
  }

  /** One change after the other: the same new term is not created twice. */
  function enter(wanted: readonly string[]): void {
    setEntered(wanted)
    queue.current = queue.current.then(() => take(wanted))
  }
  return (
    <TagsInput
      aria-label={taxonomy.name}
      description={taxonomy.labels.separate_items_with_commas ?? __('Separate with commas or the Enter key.', 'pentad')}
      value={[...(entered ?? chosen.map((id) => nameOf(known, id)))]}
      searchValue={search}
      onSearchChange={setSearch}
      splitChars={[',']}
      acceptValueOnBlur
      data={[...new Set((found.data ?? []).map(({ name }) => plainText(name)))]}
      onChange={enter}
    />
  )
}

/** A term of which only the id is known so far. */
const UNNAMED = /^#(\d+)$/

function nameOf(known: readonly Term[], id: number): string {
  const term = known.find((one) => one.id === id)
  return term ? plainText(term.name) : `#${id}`
}

/** @throws ApiError if the user may not create terms */
export async function findOrMakeTerm(base: string, name: string, known: readonly Term[] = []): Promise<Term> {
  const hasName = (term: Term) => plainText(term.name).toLowerCase() === name.trim().toLowerCase()
  const [, id] = UNNAMED.exec(name) ?? []
  const chosen = id === undefined ? known.find(hasName) : { id: Number(id), name }
  if (chosen) return chosen
  const found = await read<readonly Term[]>(base, { search: name.trim(), per_page: 100, _fields: 'id,name' })
  return found.find(hasName) ?? change<Term>('POST', base, { name: name.trim() })
}
