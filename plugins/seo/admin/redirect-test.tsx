import { Badge, Button, Code, Group, Stack, Text, TextInput, Timeline } from '@mantine/core'
import { useChange } from 'pentad/admin/api/query.ts'
import { change } from 'pentad/admin/api/rest.ts'
import { __, sprintf } from 'pentad/admin/i18n.ts'
import { ErrorNote } from 'pentad/admin/parts/error-note.tsx'
import { Section } from 'pentad/admin/parts/section.tsx'
import { type FormEvent, useState } from 'react'
import { REDIRECTS, type Trace } from './routes.ts'

const ENDS: Readonly<Record<Trace['end'], string>> = {
  page: __('This is the final URL. There are no further redirects.', 'pentad'),
  elsewhere: __('It redirects to another site.', 'pentad'),
  gone: __('The site responds with 410 Gone.', 'pentad'),
  loop: __('Redirect loop: the URL redirects back to itself.', 'pentad'),
  unknown: __('Too many redirects.', 'pentad'),
}

/** Follows a URL through the redirects, and shows every hop. */
export function RedirectTest() {
  const [url, setUrl] = useState('')
  const test = useChange((asked: string) => change<Trace>('POST', `${REDIRECTS}/test`, { url: asked }), { quiet: true })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (url.trim() !== '') test.mutate(url.trim())
  }
  return (
    <Section title={__('Test a URL', 'pentad')} description={__('Tests are not counted as hits.', 'pentad')}>
      <form onSubmit={submit}>
        <Group align="flex-end">
          <TextInput
            label={__('URL', 'pentad')}
            placeholder="/old-page/"
            value={url}
            onChange={(event) => setUrl(event.currentTarget.value)}
            style={{ flex: '1 1 16rem' }}
          />
          <Button type="submit" loading={test.isPending}>
            {__('Test URL', 'pentad')}
          </Button>
        </Group>
      </form>
      {test.error && <ErrorNote error={test.error} title={__('Test failed', 'pentad')} />}
      {test.data && <Hops trace={test.data} />}
    </Section>
  )
}

function Hops({ trace: { hops, end, url } }: { trace: Trace }) {
  return (
    <Stack gap="sm" role="status">
      {hops.length > 0 && (
        <Timeline bulletSize={18} active={hops.length}>
          {hops.map((hop) => (
            <Timeline.Item key={hop.url} title={<Code>{hop.url}</Code>}>
              <Group gap="xs">
                <Badge size="sm" variant="default">
                  {hop.rule.status}
                </Badge>
                <Text size="sm" c="dimmed">
                  {sprintf(__('by the redirect from %s', 'pentad'), hop.rule.source)}
                </Text>
              </Group>
            </Timeline.Item>
          ))}
          <Timeline.Item title={<Code>{url}</Code>} />
        </Timeline>
      )}
      <Text size="sm">{hops.length === 0 ? __('No redirect matches this URL.', 'pentad') : ENDS[end]}</Text>
    </Stack>
  )
}
