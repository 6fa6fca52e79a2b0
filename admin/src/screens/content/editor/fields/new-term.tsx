import { Button, Group, Select, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useChange } from '../../../../api/query.ts'
import { change } from '../../../../api/rest.ts'
import { __ } from '../../../../i18n.ts'
import { plainText } from '../../../../parts/plain-text.ts'
import type { ContentTaxonomy, Term } from '../../types.ts'

interface NewTermProps {
  readonly taxonomy: ContentTaxonomy
  /** Possible parents. */
  readonly branches: readonly { readonly term: Term; readonly depth: number }[]
  readonly onMade: (term: Term) => void
}

/** Adds a category without leaving the post. */
export function NewTerm({ taxonomy, branches, onMade }: NewTermProps) {
  const [isOpen, setOpen] = useState(false)
  const [name, setName] = useState('')
  const [parent, setParent] = useState<string | null>(null)
  const path = `wp/v2/${taxonomy.rest_base}`
  const make = useChange(
    () => change<Term>('POST', path, { name: name.trim(), ...(parent !== null && { parent: Number(parent) }) }),
    { invalidates: [path] },
  )
  function add(): void {
    if (name.trim() === '') return
    make.mutate(undefined, {
      onSuccess(term) {
        onMade(term)
        setName('')
      },
    })
  }
  if (!isOpen) {
    return (
      <Group>
        <Button size="compact-xs" variant="default" onClick={() => setOpen(true)}>
          {taxonomy.labels.add_new_item ?? __('Add new', 'pentad')}
        </Button>
      </Group>
    )
  }
  return (
    <Stack gap="xs">
      <TextInput
        size="xs"
        label={taxonomy.labels.new_item_name ?? __('Name', 'pentad')}
        value={name}
        autoFocus
        onChange={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          add()
        }}
      />
      <Select
        size="xs"
        label={taxonomy.labels.parent_item ?? __('Parent', 'pentad')}
        clearable
        data={branches.map(({ term: { id, name: label }, depth }) => ({
          value: String(id),
          label: `${'– '.repeat(depth)}${plainText(label)}`,
        }))}
        value={parent}
        onChange={setParent}
      />
      <Group gap="xs">
        <Button size="xs" loading={make.isPending} onClick={add}>
          {__('Add', 'pentad')}
        </Button>
        <Button size="xs" variant="subtle" onClick={() => setOpen(false)}>
          {__('Cancel', 'pentad')}
        </Button>
      </Group>
    </Stack>
  )
}
