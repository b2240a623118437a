{
  description = "A policy engine for the hooks of coding agents";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      manifest = (nixpkgs.lib.importTOML ./Cargo.toml).package;
      systems = [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ];
      each = nixpkgs.lib.genAttrs systems;
    in
    {
      packages = each (system:
        let pkgs = nixpkgs.legacyPackages.${system}; in
        {
          default = pkgs.rustPlatform.buildRustPackage {
            pname = manifest.name;
            version = manifest.version;
            src = self;
            cargoLock.lockFile = ./Cargo.lock;
            cargoBuildFlags = [ "--bin" "rules" ];
            # The tests start programs by paths that a sandbox of Nix does not have.
            doCheck = false;
            nativeBuildInputs = [ pkgs.installShellFiles ];
            postInstall = pkgs.lib.optionalString (pkgs.stdenv.buildPlatform.canExecute pkgs.stdenv.hostPlatform) ''
              $out/bin/rules man man
              installManPage man/*.1
              for shell in bash fish zsh; do $out/bin/rules completions $shell > rules.$shell; done
              installShellCompletion rules.{bash,fish,zsh}
            '';
            meta = {
              description = manifest.description;
              license = with pkgs.lib.licenses; [ mit asl20 ];
              mainProgram = "rules";
            };
          };
        });
    };
}
