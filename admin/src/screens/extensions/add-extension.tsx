import { Anchor, Button, FileInput, Group, Paper, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { useRead } from '../../api/query.ts'
import { __, sprintf } from '../../i18n.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { formatDate } from '../../parts/format.ts'
import { useListQuery } from '../../parts/list-query.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { Section } from '../../parts/section.tsx'
import { type FoundPackage, SEARCH, useInstall } from './packages.ts'

/** Installs extensions: from a file, by name or URL, or from a search of the registry. */
export default function AddExtension() {
  return (
    <Page
      isForm
      title={__('Add extension', 'pentad')}
      description={__(
        'An extension can read and change everything on this site, unless it runs in a sandbox. Install only extensions that you trust.',
        'pentad',
      )}
      actions={
        <Button component={Link} to="/extensions" variant="default">
          {__('Back to extensions', 'pentad')}
        </Button>
      }
    >
      <Upload />
      <ByName />
      <Search />
    </Page>
  )
}

function Upload() {
  const [file, setFile] = useState<File | null>(null)
  const install = useInstall()
  const navigate = useNavigate()
  return (
    <Section
      title={__('Upload extension', 'pentad')}
      description={__(
        'An archive (.tgz, .tar, .zip) of up to 20 MB. It replaces an installed version of the same extension.',
        'pentad',
      )}
    >
      <Group align="flex-end">
        <FileInput
          label={__('Archive', 'pentad')}
          placeholder={__('Select file', 'pentad')}
          accept=".tgz,.gz,.tar,.zip"
          clearable
          value={file}
          onChange={setFile}
          flex="1 1 16rem"
        />
        <Button
          disabled={file === null}
          loading={install.isPending}
          onClick={() => file && install.mutate(file, { onSuccess: ({ id }) => navigate(`/extensions/${id}`) })}
        >
          {__('Install file', 'pentad')}
        </Button>
      </Group>
    </Section>
  )
}

function ByName() {
  const [name, setName] = useState('')
  const install = useInstall()
  const navigate = useNavigate()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    install.mutate(name.trim(), { onSuccess: ({ id }) => navigate(`/extensions/${id}`) })
  }
  return (
    <Section title={__('Install by name or URL', 'pentad')}>
      <form onSubmit={submit}>
        <Group align="flex-end">
          <TextInput
            label={__('Package', 'pentad')}
            description={__('The name of a package in the registry, or the HTTPS URL of an archive.', 'pentad')}
            placeholder="hello-extension"
            value={name}
            maxLength={2000}
            spellCheck={false}
            flex="1 1 16rem"
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Button type="submit" disabled={name.trim() === ''} loading={install.isPending}>
            {__('Install package', 'pentad')}
          </Button>
        </Group>
      </form>
    </Section>
  )
}

function Search() {
  const query = useListQuery()
  const words = query.get('search')
  return (
    <Section
      title={__('Search registry', 'pentad')}
      description={__(
        'New releases can be installed 48 hours after they are published, unless you change the release delay.',
        'pentad',
      )}
    >
      <SearchField label={__('Search for extensions', 'pentad')} query={query} />
      {words !== '' && <Results words={words} />}
    </Section>
  )
}

function Results({ words }: { words: string }) {
  const found = useRead<readonly FoundPackage[]>(SEARCH, { search: words })
  return (
    <Loaded query={found} lines={4}>
      {(packages) =>
        packages.length === 0 ? (
          <EmptyState title={__('No extensions found', 'pentad')} />
        ) : (
          packages.map((found) => <Result key={found.name} found={found} />)
        )
      }
    </Loaded>
  )
}

function Result({ found }: { found: FoundPackage }) {
  const { name, version, description, author, date, homepage, installedId } = found
  const install = useInstall()
  const facts = [version, author, date === null ? null : formatDate(date)].filter((fact) => fact !== null)
  return (
    <Paper withBorder p="sm" data-package={name}>
      <Group justify="space-between" align="flex-start">
        <Stack gap={2}>
          <Text fw={600}>{name}</Text>
          <Text size="sm">{description}</Text>
          <Text size="xs" c="dimmed">
            {facts.join(' · ')}
          </Text>
          {homepage !== null && /^https?:/.test(homepage) && (
            <Anchor size="xs" href={homepage} rel="noreferrer" target="_blank">
              {__('Website', 'pentad')}
            </Anchor>
          )}
        </Stack>
        {installedId === null ? (
          <Button
            size="xs"
            aria-label={sprintf(__('Install %s', 'pentad'), name)}
            loading={install.isPending}
            onClick={() => install.mutate(name)}
          >
            {__('Install', 'pentad')}
          </Button>
        ) : (
          <Button size="xs" variant="default" component={Link} to={`/extensions/${installedId}`}>
            {__('Installed', 'pentad')}
          </Button>
        )}
      </Group>
    </Paper>
  )
}
