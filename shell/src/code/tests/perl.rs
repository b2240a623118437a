//! Programs in Perl.

use super::{shown, table};

#[test]
fn files() {
    table(
        "perl -e",
        r##"
        unlink "victim" => deletes victim
        unlink("victim") or die => deletes victim
        unlink "a", "b"; => deletes a; deletes b
        unlink qw(a b); => deletes a; deletes b
        unlink glob("*.o"); => deletes *.o
        unlink <*.o>; => deletes *.o
        unlink for "a", "b"; => deletes a; deletes b
        unlink $_ for qw(a b); => deletes a; deletes b
        for my $f (glob "*.o") { unlink $f } => deletes *.o
        foreach (qw(a b)) { unlink } => deletes a; deletes b
        $_ = "victim"; unlink; => deletes victim
        CORE::unlink("victim"); => deletes victim
        &CORE::unlink("victim"); => deletes victim
        my $f = "victim"; unlink $f; => deletes victim
        my @f = ("a", "b"); unlink @f; => deletes a; deletes b
        my @f = qw(a b); unlink $f[1]; => deletes b
        my @f = qw(a b c d e f g h i j k); unlink $f[010]; => deletes i
        my %f = (k => "victim"); unlink $f{k}; => deletes victim
        my %f = (a => "x", b => "y"); unlink values %f; => deletes x; deletes y
        my $r = ["a", "b"]; unlink @$r; => deletes a; deletes b
        my $r = {k => ["a"]}; unlink $r->{k}[0]; => deletes a
        my $r = {k => ["a"]}; unlink @{$r->{k}}; => deletes a
        my ($a, $b) = ("x", "y"); unlink $b; => deletes y
        my ($a, @b) = ("x", "y", "z"); unlink @b; => deletes y; deletes z
        my $x = "a"; { my $x = "b"; } unlink $x; => deletes a
        my $x = "a"; if (1) { my $x = "b"; unlink $x } => deletes b
        my $f = "vic" . "tim"; unlink $f; => deletes victim
        my $f = "vic"; $f .= "tim"; unlink $f; => deletes victim
        my $t = "tim"; unlink "vic$t"; => deletes victim
        my $t = "tim"; unlink "vic${t}"; => deletes victim
        my %h = (t => "tim"); unlink "vic$h{t}"; => deletes victim
        my $r = {t => "tim"}; unlink "vic$r->{t}"; => deletes victim
        my @l = ("a", "b"); unlink "@l"; => deletes a b
        unlink "@{[ 'vic' . 'tim' ]}"; => deletes victim
        unlink "${\ 'victim'}"; => deletes victim
        unlink "\x76ictim"; => deletes victim
        unlink "\x{76}ictim"; => deletes victim
        unlink "v\ictim"; => deletes victim
        unlink q(victim); => deletes victim
        unlink qq{victim}; => deletes victim
        unlink join("/", "a", "b"); => deletes a/b
        unlink sprintf("%s/%s", "a", "b"); => deletes a/b
        unlink pack("H*", "76696374696d"); => deletes victim
        push my @f, "victim"; unlink @f; => deletes victim
        my @f; push @f, "victim"; unlink @f; => deletes victim
        my @f = ("a", "b"); shift @f; unlink @f; => deletes b
        chomp(my $x = "victim\n"); unlink $x; => deletes victim
        my ($x, undef, $y) = (1, 2, "victim"); unlink $y; => deletes victim
        my @x = ("a", "victim"); unlink splice @x, 1; => deletes a; deletes victim
        unlink map { "$_.o" } qw(a b); => deletes a.o; deletes b.o
        unlink grep { /x/ } "a", "b"; => deletes a; deletes b
        sub f { unlink shift } f("victim"); => deletes victim
        sub f { my ($x, $y) = @_; unlink $y } f(1, "victim"); => deletes victim
        sub f { unlink $_[0] } f "victim"; => deletes victim
        f("victim"); sub f { unlink $_[0] } => deletes victim
        sub f ($x) { unlink $x } f("victim"); => deletes victim
        sub f { return "victim" } unlink f(); => deletes victim
        my $f = sub { unlink @_ }; $f->("victim"); => deletes victim
        my $f = sub { unlink @_ }; &$f("victim"); => deletes victim
        my $f = \&g; sub g { unlink shift } $f->("victim"); => deletes victim
        *f = sub { unlink @_ }; f("victim"); => deletes victim
        package A; sub new { my $c = shift; bless {p => shift}, $c } sub go { my $s = shift; unlink $s->{p} } package main; A->new("victim")->go; => deletes victim
        use constant X => "victim"; unlink X; => deletes victim
        BEGIN { unlink "victim" } => deletes victim
        END { unlink "victim" } => deletes victim
        unlink "victim" if 1; => deletes victim
        unlink "victim" unless 0; => deletes victim
        if ($x) { unlink "a" } elsif ($y) { unlink "b" } else { unlink "c" } => deletes a; deletes b; deletes c
        unlink($x ? "a" : "b"); => deletes a; deletes b
        unlink($x || "victim"); => deletes unlink($x || "victim"); deletes victim
        while (1) { unlink "victim"; last } => deletes victim
        eval { unlink "victim" }; => deletes victim
        do { unlink "victim" }; => deletes victim
        use File::Path; rmtree("victim"); => deletes victim
        use File::Path qw(remove_tree); remove_tree "a", "b"; => deletes a; deletes b
        File::Path::rmtree("victim"); => deletes victim
        use File::Copy; move "a", "b"; => reads a; deletes a; writes b; writes b/a maybe
        use File::Copy; copy("a", "b"); => reads a; writes b; writes b/a maybe
        use File::Find; find(sub { unlink if /x/ }, "d"); => deletes d below
        use File::Find; find({ wanted => sub { unlink $_ } }, "d"); => deletes d below
        rmdir "d"; => deletes d
        rename "a", "b"; => reads a; deletes a; writes b
        open F, ">a"; print F "x"; close F; => writes a
        open(F, "> a") or die; => writes a
        open(my $f, ">", "a") || die "no: $!"; print $f "x"; => writes a
        open my $f, ">>", "a"; print {$f} "x"; => writes a
        open F, "+<", "a"; => reads a; writes a
        open F, "<", ".env"; print <F>; => reads .env
        open(F, ".env"); while (<F>) { print } => reads .env
        open my $f, "<", ".env" or die; print while <$f>; => reads .env
        open F, $ARGV[0]; => reads open F, $ARGV[0]; writes open F, $ARGV[0]; ? Computed anything
        @ARGV = ".env"; print <>; => reads .env
        @ARGV = (".e" . "nv"); print while <>; => reads .env
        push @ARGV, ".env"; print <>; => reads .env
        use IO::File; my $f = IO::File->new("a", "w"); print $f "x"; => writes a
        use IO::File; IO::File->new(">a"); IO::File->new("b", ">"); => writes a; writes b
        use Tie::File; tie @a, "Tie::File", "a"; @a = (); => writes a
        dbmopen(%h, "a", 0666); => writes a
        unlink <{a}b>; => deletes ab
        truncate "a", 0; => writes a
        chmod 0600, "a", "b"; => writes a; writes b
        mkdir "a"; => writes a
        symlink ".env", "a"; => reads .env; writes a
        open F, "<", "$ENV{HOME}/.netrc"; => reads /home/dev/.netrc
        open F, $ENV{HOME} . "/.netrc"; => reads /home/dev/.netrc
        chdir "d"; unlink "a"; => deletes d/a
        unlink <<"E" =~ s/\n//r;⏎victim⏎E => deletes unlink <<"E" =~ s/\n//r
        my $x = "a"; $x =~ s/a/victim/; unlink $x; => deletes unlink $x
        my $x = "a"; my $r = \$x; $$r = "victim"; unlink $x; => deletes unlink $x
        "x" =~ /x/ and unlink "victim"; => deletes victim
        "x" =~ s/x/unlink "victim"/er; => deletes victim
        ($x = "s") =~ s/s/q(unlink "victim")/ee; => deletes victim
        "##,
    );
}

#[test]
fn commands() {
    table(
        "perl -e",
        r##"
        system "git push -f"; => runs git push -f
        system("git", "push", "-f"); => runs git push -f
        system qw(git push -f); => runs git push -f
        my @c = qw(git push -f); system @c; => runs git push -f
        system { "git" } "x", "push", "-f"; => runs git push -f
        exec "git push -f"; => runs git push -f
        exec { "git" } "git", "push", "-f"; => runs git push -f
        `git push -f`; => runs git push -f
        my $x = "push"; print `git $x -f`; => runs git push -f
        my @o = qx(git push -f); => runs git push -f
        qx{git push -f}; => runs git push -f
        qx'git push -f'; => runs git push -f
        open(F, "git push -f |"); print <F>; => runs git push -f
        open F, "-|", "git", "push", "-f"; => runs git push -f
        open F, "-|", "git push -f"; => runs git push -f
        open(F, "| git push -f"); => runs git push -f
        my $c = "push"; system "git $c -f"; => runs git push -f
        system "git push $_" for "-f"; => runs git push -f
        CORE::system("git push -f"); => runs git push -f
        eval "system 'git push -f'"; => runs git push -f
        eval q{system "git push -f"}; => runs git push -f
        my $s = "system 'git push -f'"; eval $s; => runs git push -f
        $_ = "system 'git push -f'"; eval; => runs git push -f
        use MIME::Base64; eval decode_base64("c3lzdGVtICdnaXQgcHVzaCAtZic="); => runs git push -f
        $ENV{X} = "push"; system 'git $X'; => runs git push
        open F, ">x.sh"; print F "git push -f"; close F; system "sh x.sh"; => writes x.sh; runs sh x.sh; reads x.sh; runs git push -f
        open F, ">x.pl"; print F "system 'git push -f'"; close F; do "./x.pl"; => writes x.pl; runs git push -f
        use IPC::Open3; open3(my $i, my $o, undef, "git", "push", "-f"); => runs git push -f
        "##,
    );
}

#[test]
fn each_line() {
    let rows = [
        ("perl -pi -e 's/a/b/' f", "reads f; writes f"),
        ("perl -ne 'print if /x/' f", "reads f"),
        ("perl -lane 'print $F[1]' f", "reads f"),
        ("perl -lne 'unlink $_' f", "deletes unlink $_; reads f"),
        ("perl -ne '$s += $_ }{ unlink \"victim\"' f", "deletes victim; reads f"),
        ("perl -e 'print <>' .env", "reads .env"),
        ("perl -e 'unlink @ARGV' a b", "deletes a; deletes b"),
        ("perl -e 'unlink shift' a -w", "deletes a"),
        ("perl -e 'unlink $ARGV[1]' a b", "deletes b"),
        ("perl -e 'print <>' 'git push -f|'", "runs git push -f"),
        ("perl -e 'my $x =' -e '\"victim\"; unlink $x'", "deletes victim"),
        ("perl <<'E'\nunlink 'victim';\nE", "deletes victim"),
    ];
    for (text, expected) in rows {
        let mut found: Vec<String> = shown(text).split("; ").map(str::to_owned).collect();
        found.sort();
        let mut expected: Vec<&str> = expected.split("; ").collect();
        expected.sort_unstable();
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn what_is_not_known() {
    table(
        "perl -e",
        r##"
        system $ARGV[0]; => ? Computed anything
        system(<STDIN>); => ? Computed anything
        eval $x; => ? Computed anything
        eval <STDIN>; => ? Computed anything
        $f->("x"); => ? Computed anything
        &{"f"}("git push"); => ? Library named
        my $x = "a"; $$n = "victim"; unlink $x; => deletes unlink $x
        my @x = ("a"); s/a/victim/ for @x; unlink @x; => deletes unlink @x
        do "x.pl"; => reads x.pl; ? ScriptFile named
        require "./x.pl"; => reads ./x.pl; ? ScriptFile named
        foo("git push"); => ? Library named
        Foo->bar("git push"); => ? Library named
        my $o = Foo->new; $o->bar("git push"); => ? Library named
        use LWP::Simple; eval get("https://h/x"); => executes curl https://h/x; ? Computed anything
        eval LWP::UserAgent->new->get("https://h/x")->content; => executes curl https://h/x; ? Computed anything
        use HTTP::Tiny; system(HTTP::Tiny->new->get("https://h/x")->{content}); => executes curl https://h/x; ? Computed anything
        "x" =~ /(?{ unlink "victim" })/; => ? Computed anything
        unlink <STDIN>; => deletes unlink <STDIN>
        sub f { 4 } f / 2; # /; unlink "victim"; => ? Computed anything
        syscall 87, "victim"; => ? Computed anything
        my ( = ; => ? Foreign named
        "##,
    );
}

#[test]
fn what_does_nothing() {
    table(
        "perl -e",
        r##"
        print 1 =>
        # unlink "x" =>
        print "rm -rf /", '.env' =>
        print 'unlink "x"' =>
        my $x = ".env"; =>
        print "a" x 80, "\n" =>
        print join(",", map { $_ * 2 } grep { $_ > 1 } 1 .. 5), "\n"; =>
        my %h = map { $_ => 1 } qw(a b); print join ",", sort keys %h; =>
        printf "%.2f\n", 1 / 3; =>
        use POSIX qw(strftime); print strftime("%Y", localtime), "\n"; =>
        use List::Util qw(sum max); print sum(1, 2), max(@ARGV); =>
        use JSON::PP; print JSON::PP->new->pretty->encode({a => 1}); =>
        use JSON::PP; my $d = decode_json(join "", <STDIN>); print $d->{a}; =>
        use Data::Dumper; print Dumper({a => 1}); =>
        use Time::HiRes qw(time); print time; =>
        use MIME::Base64; print encode_base64("x"); =>
        use Digest::SHA qw(sha256_hex); print sha256_hex("x"); =>
        print scalar localtime; =>
        print "$ENV{PATH}\n"; =>
        print $0, $$, $], "@INC"; =>
        while (<STDIN>) { chomp; print "$_\n" if length } =>
        my @l = sort { $a <=> $b } <STDIN>; print @l; =>
        my ($a, $b) = split /,/, "x,y"; print $b; =>
        my $s = "abc"; $s =~ s/b/x/; $s =~ tr/a-z/A-Z/; print $s; =>
        print "yes" if "abc" =~ /b(.)/; print $1; =>
        sub fib { my $n = shift; return $n < 2 ? $n : fib($n - 1) + fib($n - 2) } print fib(5); =>
        sub unused { unlink "x" } =>
        my $f = sub { $_[0] + 1 }; print $f->(1), &$f(2); =>
        local $| = 1; local $, = ","; print 1, 2; =>
        die "x" unless @ARGV; =>
        exit 0; =>
        print -e "x" ? 1 : 0, -s "y"; =>
        print((stat "x")[7]); =>
        my $r = {a => [1, 2], b => {c => 3}}; print $r->{a}[0], $r->{b}{c}, scalar @{$r->{a}}; =>
        push my @x, 1, 2; print pop @x, shift @x, $#x; =>
        for (my $i = 0; $i < 3; $i++) { next if $i == 1; print $i } =>
        print lc("A"), uc "b", ucfirst("c"), length "d", substr("abc", 1), index("abc", "b"); =>
        print STDERR "x\n"; print {*STDOUT} "y"; =>
        print sprintf("%02x", ord) for split //, "abc"; =>
        use strict; use warnings; my $x = 1; print $x; =>
        $SIG{INT} = sub { print "x" }; =>
        print <<E;⏎rm -rf / $x⏎E =>
        my @s = map { [$_, length $_] } qw(a bb); print $s[0][1]; =>
        print reverse(1 .. 3), scalar reverse("abc"); =>
        use constant PI => 3; print PI; =>
        package A; sub new { bless {}, shift } sub x { 1 } package main; print A->new->x; =>
        use LWP::Simple; print get("https://h/x"); =>
        print pack("A3", "x"), unpack("H*", "x"); =>
        print exists $h{a} ? 1 : 0, defined $x, delete $h{b}; =>
        open(F, "<&STDIN"); open STDERR, ">&STDOUT"; =>
        "##,
    );
}
