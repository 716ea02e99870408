"""Rows of the command table: programs that run a project's code; the verbs that only ask."""

from __future__ import annotations

# What follows the mode `opaque` in each row.
RUNNERS: dict[str, str] = {
    "make": "-n,--dry-run,--just-print,--recon,-q!read -C,--directory=cd -f=",
    "gmake": "-n,--dry-run,--just-print,--recon,-q!read -C,--directory=cd -f=",
    "ninja": "-n!read -C=cd",
    "just": "-l,--list,--dry-run!read -d=cd",
    "task": "-l,--list!read -d=cd",
    "npm": "--prefix=cd -w,--workspace= -C=cd "
    "=ls!read =list!read =view!read =outdated!read =why!read",
    "pnpm": "-C,--dir=cd -F,--filter= =ls!read =list!read =why!read =outdated!read",
    "yarn": "--cwd=cd =why!read =list!read =info!read",
    "bun": "--cwd=cd",
    "go": "-C=cd -o=write =env!read =version!read =list!read =doc!read",
    "cargo": "-C=cd =metadata!read =tree!read =search!read =version!read",
    "pip": "=list!read =show!read =freeze!read =check!read =index!read =config!read",
    "uv": "--directory=cd --project= --cache-dir= --config-file= -p,--python= "
    "=version!read =tree!read",
    "poetry": "-C,--directory=cd -P,--project= =show!read =check!read",
    "conda": "=list!read =info!read =search!read",
    "brew": "=list!read =info!read =search!read =outdated!read",
    "apt": "=list!read =show!read =search!read =policy!read",
    "apt-get": "-s!read",
    "apt-cache": "=show!read =search!read =policy!read",
    "docker": "=ps!read =images!read =logs!read =inspect!read =version!read =info!read",
    "podman": "=ps!read =images!read =logs!read =inspect!read =version!read =info!read",
    "kubectl": "=get!read =describe!read =logs!read =version!read =top!read",
    "systemctl": "=status!read =list-units!read =is-active!read =show!read =cat!read",
    "terraform": "@dash -chdir=cd =show!read =output!read =version!read =validate!read",
    "pytest": "--collect-only,--co!read",
    "dpkg": "-l,-L,-s,-S!read",
    "rpm": "-q!read",
    "crontab": "-l!read",
    "at": "-l!read",
    "mount": "-l!read",
}
# Programs without such verbs.
OPAQUE = frozenset(
    """
    batch umount mkfs fusermount ar jar mypy mysql mongosh protoc cmake meson bazel
    buck scons ant mvn gradle gradlew sbt lein mix rebar3 stack cabal dune opam
    deno tsc tsx ts-node jest vitest mocha ava playwright cypress eslint prettier biome
    webpack vite rollup esbuild parcel turbo nx lerna next nuxt astro svelte-kit tox nox hatch
    pdm pipenv pipx  pre-commit   flake8 pylint pyright coverage behave
    django-admin flask uvicorn gunicorn celery alembic ansible ansible-playbook invoke fab
    bundle gem rake rspec rubocop rails cap composer phpunit artisan cpan cpanm prove javac
    java kotlinc kotlin scala scalac swift xcodebuild dotnet msbuild nuget ghc runghc elixir
    iex erl julia R Rscript lua luajit tclsh wish expect osascript pwsh powershell nu xonsh
    docker-compose helm kustomize skaffold vagrant packer pulumi aws gcloud az heroku fly
    flyctl vercel netlify wrangler firebase supabase serverless sam cdk nix
    nix-build guix yum dnf pacman zypper apk snap flatpak port asdf mise nvm pyenv rbenv
    rustup sdk volta fnm corepack thor gulp grunt bower clang-tidy
    cargo-nextest  golangci-lint  stylelint svgo terser uglifyjs sass lessc
    postcss tailwindcss storybook hugo jekyll mkdocs sphinx-build doxygen latexmk pdflatex
    xelatex lualatex bibtex tectonic typst jupyter ipython papermill streamlit mlflow dvc
    wandb accelerate torchrun buildah skopeo kind minikube k3d service launchctl supervisorctl
    pm2 screen tmux code cursor subl open xdg-open start claude codex gemini aider opencode
    entr watchexec nodemon inotifywait fswatch sftp ftp lftp smbclient rclone restic borg
    duplicity trivy snyk semgrep gitleaks lefthook husky hub glab tig lazygit svn hg bzr
    fossil jj sl mc ranger nnn vifm lf bison flex yacc lex autoconf automake libtool
    autoreconf aclocal m4 pkg-config ldconfig update-alternatives useradd usermod passwd chsh
    visudo iptables nft ufw sysctl modprobe insmod reboot shutdown halt init telinit
    qemu-system-x86_64
    """.split()
)
