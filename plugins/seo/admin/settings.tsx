import { Button, Code, Group, ScrollArea, Tabs, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useChange } from 'pentad/admin/api/query.ts'
import { change } from 'pentad/admin/api/rest.ts'
import { __, sprintf } from 'pentad/admin/i18n.ts'
import { Loaded } from 'pentad/admin/parts/loaded.tsx'
import { Page } from 'pentad/admin/parts/page.tsx'
import { Section } from 'pentad/admin/parts/section.tsx'
import { SettingsForm, type SettingsGroup } from 'pentad/admin/settings/settings-form.tsx'
import { useSettings } from 'pentad/admin/settings/use-settings.ts'
import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { BlockedCrawlers } from './blocked-crawlers.tsx'
import { isAsked, SEO_FIELDS } from './fields.tsx'
import { SEO } from './routes.ts'

const GROUPS: readonly SettingsGroup[] = [
  {
    title: __('Site owner (organization or person)', 'pentad'),
    keys: ['schema', 'schemaType', 'organizationName', 'personName', 'logo', 'socialProfiles', 'articleSchemaType'],
  },
  { title: __('Social sharing', 'pentad'), keys: ['openGraph', 'xCards', 'xAccount', 'socialImage'] },
  { title: __('Search engine indexing', 'pentad'), keys: ['noindexTypes', 'noindexAuthors', 'noindexDates'] },
  { title: __('Sitemap', 'pentad'), keys: ['xmlSitemap', 'sitemapImages'] },
  {
    title: __('robots.txt and llms.txt', 'pentad'),
    keys: ['robotsTxt', 'blockAiTraining', 'blockedCrawlers', 'llmsTxt'],
  },
  { title: __('Breadcrumbs', 'pentad'), keys: ['breadcrumbs', 'breadcrumbsSeparator', 'breadcrumbsHome'] },
  { title: __('Redirects', 'pentad'), keys: ['redirects', 'autoRedirectSlugChange'] },
  {
    title: __('404 errors and visit tracking', 'pentad'),
    keys: ['log404', 'log404MaxEntries', 'log404Ignored', 'crawlerTracking', 'referralTracking'],
  },
  {
    title: __('Site verification', 'pentad'),
    keys: [
      'googleVerification',
      'bingVerification',
      'yandexVerification',
      'baiduVerification',
      'naverVerification',
      'pinterestVerification',
    ],
  },
  { title: __('RSS feeds', 'pentad'), keys: ['rssSignature', 'rssSignatureText'] },
  { title: __('Test email', 'pentad'), keys: ['notificationEmail'] },
]

const FIELDS = {
  ...SEO_FIELDS,
  blockedCrawlers: (draft: Parameters<typeof BlockedCrawlers>[0]['draft']) => <BlockedCrawlers draft={draft} />,
}

export default function SeoSettings() {
  const draft = useSettings('seo')
  const groups = GROUPS.map((group) => ({ ...group, keys: group.keys.filter((key) => isAsked(draft, key)) }))
  const { hash } = useLocation()
  const isReady = draft.schema !== undefined
  useEffect(() => {
    if (!isReady || hash === '') return
    document.getElementsByName(hash.slice(1))[0]?.focus()
  }, [hash, isReady])
  return (
    <Page isForm title={__('SEO settings', 'pentad')}>
      <Files />
      <TestMail />
      <SettingsForm draft={draft} groups={groups} fields={FIELDS} />
    </Page>
  )
}

const FILES = [
  { path: '/robots.txt', about: __('Rules for crawlers.', 'pentad') },
  { path: '/llms.txt', about: __('Pages that AI assistants should know about.', 'pentad') },
  { path: '/wp-sitemap.xml', about: __('Pages that search engines should index.', 'pentad') },
] as const

/** The generated files for crawlers, as currently served. */
function Files() {
  return (
    <Section
      title={__('Generated files', 'pentad')}
      description={__('The files as crawlers currently see them.', 'pentad')}
    >
      <Tabs variant="pills" defaultValue={FILES[0].path} keepMounted={false}>
        <Tabs.List>
          {FILES.map(({ path }) => (
            <Tabs.Tab key={path} value={path}>
              {path}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {FILES.map(({ path, about }) => (
          <Tabs.Panel key={path} value={path} pt="sm">
            <Text size="sm" c="dimmed">
              {about}
            </Text>
            <File path={path} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Section>
  )
}

function File({ path }: { path: string }) {
  const file = useQuery({
    queryKey: ['file', path],
    async queryFn() {
      const data = await fetch(path, { credentials: 'omit' })
      return data.ok
        ? data.text()
        : sprintf(__('This file is turned off. The server responds with status %d.', 'pentad'), data.status)
    },
    staleTime: 0,
  })
  return (
    <Loaded query={file}>
      {(text) => (
        <ScrollArea.Autosize mah={260} mt="xs" viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': path }}>
          <Code block>{text}</Code>
        </ScrollArea.Autosize>
      )}
    </Loaded>
  )
}

function TestMail() {
  const send = useChange(
    () => change<{ recipient: string; storedAsFile: boolean }>('POST', `${SEO}/notifications/test`),
    {
      done: ({ recipient, storedAsFile }) =>
        storedAsFile
          ? __(
              'The email was not sent, because no SMTP server is configured. It was saved in the site’s “mail” folder.',
              'pentad',
            )
          : sprintf(__('Test email sent to %s.', 'pentad'), recipient),
    },
  )
  return (
    <Section title={__('Test email', 'pentad')}>
      <Group>
        <Button variant="default" loading={send.isPending} onClick={() => send.mutate()}>
          {__('Send test email', 'pentad')}
        </Button>
      </Group>
    </Section>
  )
}
