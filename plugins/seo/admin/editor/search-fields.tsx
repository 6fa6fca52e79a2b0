import { Alert, Group, Stack, Switch, Text, TextInput } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { Edited } from 'pentad/admin'
import { __ } from 'pentad/admin/i18n.ts'
import { pageData } from 'pentad/admin/page-data.ts'
import { DeviceChoice } from 'pentad/admin/parts/device-choice.tsx'
import { Loaded } from 'pentad/admin/parts/loaded.tsx'
import { readable } from 'pentad/admin/parts/plain-text.ts'
import { addressOf } from 'pentad/admin/screens/content/editor/fields/permalink.tsx'
import { useState } from 'react'
import { CountedField } from './counted-field.tsx'
import { PrimaryCategory } from './primary-category.tsx'
import classes from './seo.module.css'
import { type Snippet, seoText } from './use-snippet.ts'

interface SearchFieldsProps {
  readonly edited: Edited
  readonly snippet: UseQueryResult<Snippet>
}

/** Maximum lengths of title and description that search results usually show. */
const TITLE_ROOM = 60
const DESCRIPTION_ROOM = 160

/** Previews the post in search results, and edits its SEO fields. */
export function SearchFields({ edited, snippet }: SearchFieldsProps) {
  const { fields, setMeta } = edited
  const usual = snippet.data?.usual
  const isOn = (key: string) => fields.meta[key] === true
  return (
    <Stack>
      <Loaded query={snippet}>
        {(shown) => (
          <>
            <Result snippet={shown} address={addressOf(edited) || `${pageData.site.url}/…`} />
            {!shown.robots.index && (
              <Alert color="yellow" role="status">
                {pageData.site.isPublic
                  ? __('Search engines are asked not to index this page.', 'pentad')
                  : __('Search engines are asked not to index this site. See Settings → Reading.', 'pentad')}
              </Alert>
            )}
          </>
        )}
      </Loaded>
      <CountedField
        label={__('SEO title', 'pentad')}
        value={seoText(edited, '_seo_title')}
        usual={usual?.title}
        room={TITLE_ROOM}
        maxLength={1000}
        onChange={(value) => setMeta('_seo_title', value)}
      />
      <CountedField
        label={__('Meta description', 'pentad')}
        value={seoText(edited, '_seo_description')}
        usual={usual?.description}
        room={DESCRIPTION_ROOM}
        maxLength={2000}
        isLong
        onChange={(value) => setMeta('_seo_description', value)}
      />
      <TextInput
        label={__('Focus keyword', 'pentad')}
        maxLength={300}
        value={seoText(edited, '_seo_focus_keyword')}
        onChange={(event) => setMeta('_seo_focus_keyword', event.currentTarget.value)}
      />
      <PrimaryCategory edited={edited} />
      <TextInput
        label={__('Schema type', 'pentad')}
        description={__('For example, NewsArticle. Leave empty to use the default.', 'pentad')}
        maxLength={100}
        value={seoText(edited, '_seo_schema_type')}
        onChange={(event) => setMeta('_seo_schema_type', event.currentTarget.value)}
      />
      <TextInput
        label={__('Canonical URL', 'pentad')}
        description={__('Leave empty to use the URL of this page.', 'pentad')}
        type="url"
        maxLength={2000}
        value={seoText(edited, '_seo_canonical')}
        onChange={(event) => setMeta('_seo_canonical', event.currentTarget.value)}
      />
      <Switch
        label={__('Hide from search engines and sitemaps (noindex)', 'pentad')}
        checked={isOn('_seo_noindex')}
        onChange={(event) => setMeta('_seo_noindex', event.currentTarget.checked)}
      />
      <Switch
        label={__('Ask search engines not to follow links (nofollow)', 'pentad')}
        checked={isOn('_seo_nofollow')}
        onChange={(event) => setMeta('_seo_nofollow', event.currentTarget.checked)}
      />
    </Stack>
  )
}

/** A search result at the width of a desktop or a phone. */
function Result({ snippet, address }: { snippet: Snippet; address: string }) {
  const [device, setDevice] = useState('wide')
  return (
    <div>
      <Group justify="space-between" mb="xs">
        <Text size="sm" fw={600}>
          {__('Search result preview', 'pentad')}
        </Text>
        <DeviceChoice value={device} onChange={setDevice} />
      </Group>
      <div className={classes.result} data-device={device}>
        <div className={classes.address}>{trail(address)}</div>
        <div className={classes.title}>{snippet.title}</div>
        <div className={classes.description}>{snippet.description}</div>
      </div>
    </div>
  )
}

/** `example.org › news › bread` */
function trail(address: string): string {
  const url = URL.parse(address)
  if (!url) return address
  return [url.host, ...url.pathname.split('/').filter(Boolean).map(readable)].join(' › ')
}
