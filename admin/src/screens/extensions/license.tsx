import { Button, Group, Stack, Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useChange, useRead } from '../../api/query.ts'
import type { Responses } from '../../api/responses.ts'
import { change } from '../../api/rest.ts'
import { __ } from '../../i18n.ts'
import { confirm } from '../../parts/confirm.tsx'
import { formatDate } from '../../parts/format.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { Section } from '../../parts/section.tsx'
import { Stat, Stats } from '../../parts/stat.tsx'

const LICENSE = 'host/v1/license'

type LicenseStatus = Responses['GET /host/v1/license']

/** Shows the license, and a form to enter another key. */
export default function License() {
  const [key, setKey] = useState('')
  const status = useRead<LicenseStatus>(LICENSE)
  const shared = { invalidates: [LICENSE, 'host/v1/extensions'] }
  const store = useChange((text: string) => change<LicenseStatus>('PUT', LICENSE, { key: text }), {
    ...shared,
    done: ({ active }) =>
      active
        ? __('License activated.', 'pentad')
        : __('License key saved, but it is not active. The reason is shown above.', 'pentad'),
  })
  const remove = useChange(() => change('DELETE', LICENSE), {
    ...shared,
    done: __('License key removed.', 'pentad'),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    store.mutate(key.trim(), { onSuccess: () => setKey('') })
  }
  return (
    <Page
      isForm
      title={__('License', 'pentad')}
      description={__(
        'Pro features of the services and some extensions require a license. Everything else works without one.',
        'pentad',
      )}
    >
      <Loaded query={status}>
        {(license) => (
          <>
            <Status license={license} />
            {license.reason !== 'missing' && (
              <Group>
                <Button
                  variant="light"
                  color="red"
                  loading={remove.isPending}
                  onClick={async () => {
                    const isSure = await confirm({
                      title: __('Remove license key?', 'pentad'),
                      body: __(
                        'Pro features will be turned off, and extensions that require a license will be paused.',
                        'pentad',
                      ),
                      confirm: __('Remove license key', 'pentad'),
                      isDestructive: true,
                    })
                    if (isSure) remove.mutate()
                  }}
                >
                  {__('Remove license key', 'pentad')}
                </Button>
              </Group>
            )}
          </>
        )}
      </Loaded>
      <Section title={__('Enter license key', 'pentad')}>
        <form onSubmit={submit}>
          <Stack align="flex-start">
            <Textarea
              label={__('License key', 'pentad')}
              description={__('Paste the complete key exactly as you received it.', 'pentad')}
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
              {__('Save license key', 'pentad')}
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
      return __('No license key entered.', 'pentad')
    case 'expired':
      return __('The license has expired. Enter a new key.', 'pentad')
    case 'malformed':
      return __('The license key is incomplete. Copy the whole key and try again.', 'pentad')
    case 'invalid_signature':
      return __('The license key is invalid. It was issued by another vendor or has been altered.', 'pentad')
    case 'no_public_key':
      return __(
        'License keys can’t be verified because no public key is configured. Set PENTAD_LICENSE_PUBLIC_KEY.',
        'pentad',
      )
    case 'foreign_site':
      return __('The license key is for a different site.', 'pentad')
    default:
      return reason
  }
}

function Status({ license: { active, plan, licensee, expires, reason } }: { license: LicenseStatus }) {
  return (
    <Stats>
      <Stat
        label={__('Status', 'pentad')}
        value={active ? __('Active', 'pentad') : __('Inactive', 'pentad')}
        hint={reason !== null && textOf(reason)}
      />
      {plan !== null && <Stat label={__('Plan', 'pentad')} value={plan} />}
      {licensee !== null && <Stat label={__('Licensed to', 'pentad')} value={licensee} />}
      {active && (
        <Stat label={__('Valid until', 'pentad')} value={expires ? formatDate(expires) : __('Lifetime', 'pentad')} />
      )}
    </Stats>
  )
}
