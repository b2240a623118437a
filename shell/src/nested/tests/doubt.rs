//! Unknown words of the outer command.

use super::table;

#[test]
fn a_program_that_is_not_known_may_be_a_wrapper() {
    table(
        r#"
        $SUDO rm -rf x => rm -rf x ?
        "$RUNNER" git push => git push ?
        $SUDO -u root git push => root git push ? ; git push ?
        $CC -c f.c -o f.o => f.c -o f.o ?
        $SUDO -- rm x => rm x ?
        $X =>
        $X -a =>
        "#,
    );
}

#[test]
fn options_that_are_not_known_may_be_none_or_take_words() {
    table(
        r#"
        sudo $OPTS rm -rf x => <$OPTS...> rm -rf x
        timeout $OPTS 5 rm x => 5 rm x ; rm x ?
        timeout $T rm -rf x => rm -rf x
        timeout "$T" git push => git push ; push ?
        timeout -k $K 5 rm x => rm x
        sudo -u "$U" rm x => rm x
        sudo -u$U rm x => rm x
        env $VARS rm x => <$VARS...> rm x
        env $VARS A=1 rm x => <$VARS...> A=1 rm x ; rm x A=1 ?
        $SUDO A=1 rm x => rm x ?
        bash $OPTS -c 'rm x' => file: <$OPTS...> ; sh: rm x ?
        bash -c $X => sh: <$X...>
        flock $F rm x => rm x ; x ?
        docker run $OPTS image rm x => image rm x @container in <docker> ; rm x @container in <docker> ?
        docker run -it $IMAGE rm -rf x => rm -rf x @container in <docker>
        xargs $OPTS rm => <$OPTS...> rm <xargs...> repeats
        sudo $OPTS -u root rm x => <$OPTS...> -u root rm x ; rm x ?
        ssh $OPTS h rm x => sh: h rm x @remote in <ssh> ; sh: rm x @remote in <ssh> ?
        "#,
    );
}

#[test]
fn an_option_that_no_table_knows_may_take_the_next_word() {
    table(
        "
        sudo --new git push => git push ; push ?
        sudo --new=1 git push => git push
        docker run --new a image rm x => image rm x @container in <docker> ; rm x @container in <docker> ?
        sudo -Z root rm x => root rm x ; rm x ?
        timeout --new -- 5 rm x => rm x
        ",
    );
}
