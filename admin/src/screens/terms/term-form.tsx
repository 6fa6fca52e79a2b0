import { Modal, Stack, Textarea, TextInput } from '@mantine/core'
import type { FormEvent } from 'react'
import { ApiError } from '../../api/error.ts'
import { useChange } from '../../api/query.ts'
import { change } from '../../api/rest.ts'
import { __ } from '../../i18n.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { FormButtons } from '../../parts/form-buttons.tsx'
import { plainText } from '../../parts/plain-text.ts'
import { useFields } from '../../parts/use-fields.ts'
import type { TaxonomyInfo, TermItem } from './term.ts'
import { TermSelect } from './term-select.tsx'

interface TermFormProps {
  readonly taxonomy: TaxonomyInfo
  readonly term: TermItem | 'new' | undefined
  readonly onClose: () => void
}

/** Adds or edits a term. */
export function TermForm({ taxonomy, term, onClose }: TermFormProps) {
  return (
    <Modal
      opened={term !== undefined}
      onClose={onClose}
      title={term === 'new' ? __('Add', 'pentad') : __('Edit', 'pentad')}
    >
      {term !== undefined && <Fields taxonomy={taxonomy} term={term === 'new' ? undefined : term} onClose={onClose} />}
    </Modal>
  )
}

function Fields({
  taxonomy,
  term,
  onClose,
}: {
  taxonomy: TaxonomyInfo
  term: TermItem | undefined
  onClose: () => void
}) {
  const route = `wp/v2/${taxonomy.rest_base}`
  const { fields, set, field } = useFields({
    name: plainText(term?.name ?? ''),
    slug: term?.slug ?? '',
    description: term?.description ?? '',
    parent: term?.parent ?? 0,
  })
  const { parent, ...plainFields } = fields
  const sent = taxonomy.hierarchical ? fields : plainFields
  const save = useChange(() => change('POST', term ? `${route}/${term.id}` : route, sent), {
    invalidates: [route],
    done: term ? __('Saved.', 'pentad') : __('Added.', 'pentad'),
    quiet: true,
  })
  const fieldErrors = save.error instanceof ApiError ? save.error.params : {}
  const input = (key: 'name' | 'slug' | 'description') => ({ ...field(key), error: fieldErrors[key] })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(undefined, { onSuccess: onClose })
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        {save.error && <ErrorNote error={save.error} />}
        <TextInput label={__('Name', 'pentad')} required data-autofocus maxLength={200} {...input('name')} />
        <TextInput
          label={__('Slug', 'pentad')}
          description={__('The URL-friendly version of the name. Leave empty to generate it from the name.', 'pentad')}
          maxLength={200}
          {...input('slug')}
        />
        {taxonomy.hierarchical && (
          <TermSelect
            route={route}
            label={__('Parent', 'pentad')}
            none={__('None', 'pentad')}
            value={parent}
            exclude={term ? [term.id] : []}
            onChange={(chosen) => set({ parent: chosen })}
          />
        )}
        <Textarea label={__('Description', 'pentad')} autosize minRows={2} {...input('description')} />
        <FormButtons
          label={term ? __('Save', 'pentad') : __('Add', 'pentad')}
          isBusy={save.isPending}
          onCancel={onClose}
        />
      </Stack>
    </form>
  )
}
