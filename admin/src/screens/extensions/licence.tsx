import { Button, Group, Stack, Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Answers } from '../../api/answers.ts'
import { useChange, useRead } from '../../api/query.ts'
import { change } from '../../api/rest.ts'
import { __ } from '../../i18n.ts'
import { confirm } from '../../parts/confirm.tsx'
import { formatDate } from '../../parts/format.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { Section } from '../../parts/section.tsx'
import { Stat, Stats } from '../../parts/stat.tsx'

const LICENCE = 'host/v1/license'

type LicenceStatus = Answers['GET /host/v1/license']

/** What the licence is worth, and a place for another key. */
export default function Licence() {
  const [key, setKey] = useState('')
  const status = useRead<LicenceStatus>(LICENCE)
  const shared = { invalidates: [LICENCE, 'host/v1/extensions'] }
  const store = useChange((text: string) => change<LicenceStatus>('PUT', LICENCE, { key: text }), {
    ...shared,
    done: ({ active }) =>
      active
        ? __('The licence is active.', 'pentad')
        : __('The key is stored, but it is not active. The reason is shown above.', 'pentad'),
  })
  const remove = useChange(() => change('DELETE', LICENCE), {
    ...shared,
    done: __('The licence key was removed.', 'pentad'),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    store.mutate(key.trim(), { onSuccess: () => setKey('') })
  }
  return (
    <Page
      title={__('Licence', 'pentad')}
      description={__('Some extensions need a licence. All else works without one.', 'pentad')}
    >
      <Loaded query={status}>
        {(licence) => (
          <>
            <Status licence={licence} />
            {licence.reason !== 'missing' && (
              <Group>
                <Button
                  variant="light"
                  color="red"
                  loading={remove.isPending}
                  onClick={async () => {
                    const isSure = await confirm({
                      title: __('Remove the licence key?', 'pentad'),
                      body: __('Extensions that need it are paused.', 'pentad'),
                      confirm: __('Remove', 'pentad'),
                      isDestructive: true,
                    })
                    if (isSure) remove.mutate()
                  }}
                >
                  {__('Remove the key', 'pentad')}
                </Button>
              </Group>
            )}
          </>
        )}
      </Loaded>
      <Section title={__('Enter a key', 'pentad')}>
        <form onSubmit={submit}>
          <Stack align="flex-start">
            <Textarea
              label={__('Licence key', 'pentad')}
              description={__('As it was sent to you, with all its letters and dots.', 'pentad')}
              w="100%"
              autosize
              minRows={3}
              maxRows={8}
              maxLength={8192}
              spellCheck={false}
              value={key}
              onChange={(event) => setKey(event.currentTarget.value)}
            />
            <Button type="submit" disabled={key.trim() === ''} loading={store.isPending}>
              {__('Save the key', 'pentad')}
            </Button>
          </Stack>
        </form>
      </Section>
    </Page>
  )
}

function textOf(reason: string): string {
  switch (reason) {
    case 'missing':
      return __('No key is stored.', 'pentad')
    case 'expired':
      return __('It has expired. Enter a newer key.', 'pentad')
    case 'malformed':
      return __('The key is not complete. Copy it again, from its first letter to its last.', 'pentad')
    case 'invalid_signature':
      return __('The key was not made by the vendor of this site, or it was changed.', 'pentad')
    case 'no_public_key':
      return __('This site knows no vendor whose keys it could check: set PENTAD_LICENSE_PUBLIC_KEY.', 'pentad')
    case 'foreign_site':
      return __('The key is for another site.', 'pentad')
    default:
      return reason
  }
}

function Status({ licence: { active, plan, licensee, expires, reason } }: { licence: LicenceStatus }) {
  return (
    <Stats>
      <Stat
        label={__('Status', 'pentad')}
        value={active ? __('Active', 'pentad') : __('Not active', 'pentad')}
        hint={reason !== null && textOf(reason)}
      />
      {plan !== null && <Stat label={__('Plan', 'pentad')} value={plan} />}
      {licensee !== null && <Stat label={__('Licensed to', 'pentad')} value={licensee} />}
      {active && (
        <Stat label={__('Valid until', 'pentad')} value={expires ? formatDate(expires) : __('For ever', 'pentad')} />
      )}
    </Stats>
  )
}
