# An image of Pentad, with all optional packages, that holds no site: the site folder is the volume /site. See docs/guides/deployment.md.
ARG NODE_IMAGE=docker.io/library/node:24-trixie-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /src
COPY . .
RUN npm ci --no-audit --no-fund && npm run build:package

# Named, so that a package that is built already can take its place: --build-context package=dist/pentad
FROM scratch AS package
COPY --from=build /src/dist/pentad /

FROM ${NODE_IMAGE} AS install
WORKDIR /app
COPY --from=package / /package
RUN npm install --omit=dev --no-audit --no-fund --no-package-lock --install-links /package \
  $(node -p "Object.entries(require('/package/package.json').peerDependencies).map((pair) => pair.join('@')).join(' ')")

FROM ${NODE_IMAGE}
# `pentad upgrade` copies a PostgreSQL database with pg_dump, which must not be older than the server.
RUN apt-get update && apt-get install -y --no-install-recommends postgresql-client-17 && rm -rf /var/lib/apt/lists/*
COPY --from=install /app /app
RUN ln -s /app/node_modules/.bin/pentad /usr/local/bin/pentad && install -d -o node -g node -m 700 /site
ENV NODE_ENV=production \
    PENTAD_ENVIRONMENT=production \
    PENTAD_SITE_DIR=/site \
    PENTAD_HOST=0.0.0.0
USER node
WORKDIR /site
VOLUME /site
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PENTAD_PORT || 8080) + '/wp-json/host/v1/health').then((response) => process.exit(response.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["pentad"]
CMD ["start"]
