import { Button, Group, Menu, Stack, Text, TextInput } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useChange } from 'pentad/admin/api/query.ts'
import { change } from 'pentad/admin/api/rest.ts'
import { __, _n, sprintf } from 'pentad/admin/i18n.ts'
import { confirm } from 'pentad/admin/parts/confirm.tsx'
import { formatNumber } from 'pentad/admin/parts/format.ts'
import { ProgressBar } from 'pentad/admin/parts/progress-bar.tsx'
import { Section } from 'pentad/admin/parts/section.tsx'
import { type FormEvent, useState } from 'react'
import type { CacheOverview, PreloadProgress } from './types.ts'

const CHANGED = ['speed/v1/cache-overview', 'speed/v1/optimized', 'speed/v1/history']

type Scope = 'pages' | 'cache' | 'everything'

const SCOPES: Readonly<Record<Scope, { label: string; description: string }>> = {
  pages: {
    label: __('All pages', 'pentad'),
    description: __(
      'All cached pages will be purged, on this site and in connected CDNs and proxies, and re-rendered. Optimized files will be kept.',
      'pentad',
    ),
  },
  cache: {
    label: __('All pages, and other content in CDNs', 'pentad'),
    description: __(
      'On this site, the same as “All pages”. A custom CDN integration may also purge its other content.',
      'pentad',
    ),
  },
  everything: {
    label: __('Everything, including optimized files', 'pentad'),
    description: __(
      'All pages will be re-rendered and all files optimized again. This can take a while on a large site.',
      'pentad',
    ),
  },
}

/** The purge and preload buttons. A purge slows the site down for a moment, so it asks for confirmation. */
export function PurgeMenu() {
  const purge = useChange(
    (scope: Scope) =>
      change<{ purged: number; preload: { queued: number } }>('POST', `speed/v1/purge-${scope}-and-preload`),
    {
      invalidates: CHANGED,
      done: ({ purged, preload: { queued } }) =>
        sprintf(
          __('Cache purged. Pages removed: %1$s. Pages to re-render: %2$s.', 'pentad'),
          formatNumber(purged),
          formatNumber(queued),
        ),
    },
  )
  const preload = useChange(() => change('POST', 'speed/v1/preload-cache'), {
    invalidates: CHANGED,
    done: __('Preload started.', 'pentad'),
  })
  async function ask(scope: Scope): Promise<void> {
    const { label, description } = SCOPES[scope]
    const isSure = await confirm({
      title: sprintf(__('Purge cache: %s?', 'pentad'), label),
      body: description,
      confirm: __('Purge cache', 'pentad'),
    })
    if (isSure) purge.mutate(scope)
  }
  return (
    <>
      <Button variant="default" loading={preload.isPending} onClick={() => preload.mutate()}>
        {__('Preload cache', 'pentad')}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button loading={purge.isPending} rightSection={<IconChevronDown size={16} aria-hidden />}>
            {__('Purge cache', 'pentad')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {(['pages', 'cache', 'everything'] as const).map((scope) => (
            <Menu.Item key={scope} onClick={() => ask(scope)}>
              {SCOPES[scope].label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </>
  )
}

/** Background tasks; nothing if there are none. */
export function CacheWork({ overview }: { overview: CacheOverview }) {
  const { preload, optimizer } = overview
  const cancel = useChange(() => change('POST', 'speed/v1/preload-cache/cancel'), {
    invalidates: CHANGED,
    done: __('Preload stopped. Pages that are already cached are kept.', 'pentad'),
  })
  if (!preload.running && optimizer.waiting === 0) return null
  return (
    <Section
      title={__('Background tasks', 'pentad')}
      actions={
        preload.running && (
          <Button size="xs" variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
            {__('Stop preload', 'pentad')}
          </Button>
        )
      }
    >
      {preload.running && <PreloadBar preload={preload} />}
      {optimizer.waiting > 0 && (
        <Text size="sm" aria-live="polite">
          {sprintf(
            _n('Optimizing %s file.', 'Optimizing %s files.', optimizer.waiting, 'pentad'),
            formatNumber(optimizer.waiting),
          )}
        </Text>
      )}
    </Section>
  )
}

function PreloadBar({ preload: { stored, skipped, failed, queued } }: { preload: PreloadProgress }) {
  const done = stored + skipped + failed
  // Includes the page being rendered.
  const all = done + queued + 1
  return (
    <ProgressBar
      percent={(100 * done) / all}
      label={sprintf(__('Preloading: %1$s of %2$s pages', 'pentad'), formatNumber(done), formatNumber(all))}
      hint={failed > 0 ? sprintf(__('Failed: %s', 'pentad'), formatNumber(failed)) : undefined}
    />
  )
}

/** Purges a page by its URL. */
export function PurgePage() {
  const [url, setUrl] = useState('')
  const purge = useChange(
    () => change<{ purged: readonly string[] }>('POST', 'speed/v1/purge-current-page', { url: url.trim() }),
    { invalidates: CHANGED, done: ({ purged }) => sprintf(__('Purged: %s', 'pentad'), purged.join(', ')) },
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    purge.mutate(undefined, { onSuccess: () => setUrl('') })
  }
  return (
    <Section
      title={__('Purge a URL', 'pentad')}
      description={__(
        'Saving a post automatically purges every page that shows it. A purged page is re-rendered immediately.',
        'pentad',
      )}
    >
      <form onSubmit={submit}>
        <Stack gap="xs">
          <Group align="flex-end">
            <TextInput
              label={__('URL', 'pentad')}
              placeholder="/about/"
              value={url}
              style={{ flex: '1 1 16rem' }}
              onChange={(event) => setUrl(event.currentTarget.value)}
            />
            <Button type="submit" variant="default" disabled={url.trim() === ''} loading={purge.isPending}>
              {__('Purge URL', 'pentad')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  )
}
