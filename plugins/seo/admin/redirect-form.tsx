import { Alert, Button, Checkbox, Collapse, List, Select, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { ApiError, messageOf } from 'pentad/admin/api/error.ts'
import { useChange } from 'pentad/admin/api/query.ts'
import { change } from 'pentad/admin/api/rest.ts'
import { __ } from 'pentad/admin/i18n.ts'
import { FormButtons } from 'pentad/admin/parts/form-buttons.tsx'
import { useFields } from 'pentad/admin/parts/use-fields.ts'
import type { FormEvent } from 'react'
import { REDIRECTS, type Redirect, SEO } from './routes.ts'
import { TargetField } from './target-field.tsx'

type Draft = Pick<Redirect, 'source' | 'target' | 'match' | 'status' | 'query' | 'caseSensitive' | 'note'>

const NEW: Draft = {
  source: '',
  target: '',
  match: 'exact',
  status: 301,
  query: 'ignore',
  caseSensitive: false,
  note: '',
}

const CODES: readonly Redirect['status'][] = [301, 302, 307, 308, 410, 451]
const STATUSES = [
  { value: '301', label: __('301 Permanent', 'pentad') },
  { value: '302', label: __('302 Temporary', 'pentad') },
  { value: '307', label: __('307 Temporary (keeps method)', 'pentad') },
  { value: '308', label: __('308 Permanent (keeps method)', 'pentad') },
  { value: '410', label: __('410 Gone', 'pentad') },
  { value: '451', label: __('451 Unavailable for legal reasons', 'pentad') },
]
const MATCHES: readonly { value: Redirect['match']; label: string }[] = [
  { value: 'exact', label: __('Exact URL', 'pentad') },
  { value: 'wildcard', label: __('Wildcard (* matches anything)', 'pentad') },
  { value: 'regex', label: __('Regular expression (RE2)', 'pentad') },
]
const QUERIES: readonly { value: Redirect['query']; label: string }[] = [
  { value: 'ignore', label: __('Ignore', 'pentad') },
  { value: 'exact', label: __('Must match exactly', 'pentad') },
  { value: 'pass', label: __('Ignore and pass to the target', 'pentad') },
]

interface RedirectFormProps {
  /** The redirect to edit; without it, the form creates a new one. */
  readonly rule?: Redirect | undefined
  readonly onDone: () => void
}

/** Creates or edits a redirect; the server's errors are shown next to the fields. */
export function RedirectForm({ rule, onDone }: RedirectFormProps) {
  const { fields: draft, set, field } = useFields<Draft>(rule ?? NEW)
  const [isMore, more] = useDisclosure(rule !== undefined && rule.match !== 'exact')
  const save = useChange(
    () => {
      const { source, target, match, status, query, caseSensitive, note } = draft
      const data = { source, target: leadsNowhere ? '' : target, match, status, query, caseSensitive, note }
      return rule ? change('PUT', `${REDIRECTS}/${rule.id}`, data) : change('POST', REDIRECTS, data)
    },
    { invalidates: [REDIRECTS, `${SEO}/overview`], done: __('Redirect saved.', 'pentad'), quiet: true },
  )
  const leadsNowhere = draft.status === 410 || draft.status === 451
  const params = save.error instanceof ApiError ? save.error.params : {}
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(undefined, { onSuccess: onDone })
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextInput
          label={__('Source URL', 'pentad')}
          description={__('A path on this site.', 'pentad')}
          placeholder="/old-page/"
          required
          data-autofocus
          error={params.source}
          {...field('source')}
        />
        {!leadsNowhere && (
          <TargetField value={draft.target} error={params.target} onChange={(target) => set({ target })} />
        )}
        <Select
          label={__('Redirect type', 'pentad')}
          data={STATUSES}
          value={String(draft.status)}
          allowDeselect={false}
          error={params.status}
          onChange={(value) => set({ status: CODES.find((code) => String(code) === value) ?? draft.status })}
        />
        <div>
          <Button size="xs" variant="subtle" onClick={more.toggle} aria-expanded={isMore}>
            {isMore ? __('Fewer options', 'pentad') : __('More options', 'pentad')}
          </Button>
        </div>
        <Collapse expanded={isMore}>
          <Stack>
            <Select
              label={__('Match type', 'pentad')}
              data={MATCHES}
              value={draft.match}
              allowDeselect={false}
              onChange={(match) => match && set({ match })}
            />
            <Select
              label={__('Query parameters', 'pentad')}
              data={QUERIES}
              value={draft.query}
              allowDeselect={false}
              onChange={(query) => query && set({ query })}
            />
            <Checkbox
              label={__('Case-sensitive', 'pentad')}
              checked={draft.caseSensitive}
              onChange={(event) => set({ caseSensitive: event.currentTarget.checked })}
            />
            <TextInput label={__('Note', 'pentad')} error={params.note} {...field('note')} />
          </Stack>
        </Collapse>
        {save.error && <SaveError error={save.error} />}
        <FormButtons
          label={rule ? __('Save redirect', 'pentad') : __('Add redirect', 'pentad')}
          isBusy={save.isPending}
          onCancel={onDone}
        />
      </Stack>
    </form>
  )
}

/** Shows the hops of a redirect loop. */
function SaveError({ error }: { error: Error }) {
  const chain = error instanceof ApiError && Array.isArray(error.data.chain) ? error.data.chain : []
  return (
    <Alert color="red" role="alert" title={__('Redirect not saved', 'pentad')}>
      <Text size="sm">{messageOf(error)}</Text>
      {chain.length > 0 && (
        <List size="sm" type="ordered">
          {chain.map((url, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an address stands twice in a loop
            <List.Item key={at}>{String(url)}</List.Item>
          ))}
        </List>
      )}
    </Alert>
  )
}
